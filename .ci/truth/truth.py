"""Compares what catalogues state with what the register makes of them.

    truth.py [--data DIR] [--out DIR] [--site] [NAME…]

harvests each catalogue of catalogues.tsv into a register of its own, reads the
same files with readers that share no code with the harvest, and writes a table,
field by field. --site builds each site too and compares what its pages show.
"""
import argparse
import glob
import importlib
import json
import os
import re
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import compare  # noqa: E402
import exports  # noqa: E402
import known  # noqa: E402
import match  # noqa: E402
import page  # noqa: E402
import publisher  # noqa: E402
import recompute  # noqa: E402
import register  # noqa: E402
import table  # noqa: E402
from shape import skolem  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(HERE))


def catalogues():
    with open(os.path.join(HERE, "catalogues.tsv"), encoding="utf-8") as f:
        for line in f:
            if line.strip() and not line.startswith("#"):
                name, kind, reader, file, url, country = line.rstrip("\n").split("\t")
                yield dict(name=name, kind=kind, reader=reader, file=file, url=url, country=country)


def harvest(c, path, work, assay, site):
    """Makes a register of one catalogue; returns its report, export and site."""
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    source = dict(key=c["name"], kind=c["kind"], url=c["url"], file=path, title=c["name"], official="compared with its own file")
    if c["country"]:
        source["country"] = c["country"]
    config, db = os.path.join(work, "assay.yaml"), "sqlite:" + os.path.join(work, "assay.db")
    with open(config, "w", encoding="utf-8") as f:
        json.dump({"sources": [source]}, f)  # JSON is YAML
    common = ["--config", config, "--db", db]
    report, export, pages = (os.path.join(work, n) for n in ("report.json", "export.ndjson", "site"))
    # A run in which a record was rejected ends with 1 and has a report.
    run([assay, "harvest", c["name"], "--report", report, *common], work, may_fail=report)
    with open(export, "wb") as f:
        run([assay, "export", *common], work, out=f)
    if site:
        run([assay, "build", "--out", pages, *common], work)
    return read_report(report), export, pages if site else None


def read_report(path):
    with open(path, encoding="utf-8") as f:
        r = json.load(f)
    return r["sources"][0] if "sources" in r else r


def harvest_again(c, work, assay):
    """Harvests into the register that is there; returns the report."""
    report = os.path.join(work, "again.json")
    run([assay, "harvest", c["name"], "--report", report, "--config", os.path.join(work, "assay.yaml"), "--db", "sqlite:" + os.path.join(work, "assay.db")],
        work, may_fail=report)
    return read_report(report)


def run(command, work, out=None, may_fail=None):
    with open(os.path.join(work, "log.txt"), "ab") as log:
        code = subprocess.run(command, cwd=work, stdout=out or log, stderr=log, check=False).returncode
    if code and not (may_fail and os.path.exists(may_fail)):
        sys.exit(f"{' '.join(command)}: exit code {code}, see {log.name}")


def account(records, views, report):
    """What became of each identity, and the pairs to compare."""
    first, repeated = match.fold_repeated(records)
    # An entry that was merged into another is not shown, and tells where it went.
    alive = [v for v in views if not v.merged_into]
    pairs, left = match.assign(first, alive)
    again = {x["place"].split(" ", 1)[-1] for x in report.get("repeats") or []}
    merged_refs = {match.key(ref) for v in views if v.merged_into for ref in v.refs}
    rejected = {x["place"].split(" ", 1)[-1]: x for x in report.get("rejections") or []}
    rejected.update({x["upstream_ref"]: x for x in report.get("rejections") or [] if x.get("upstream_ref")})
    merged, refused, lost = [], [], []
    nameless = sum(x["code"] == "missing_name" for x in rejected.values())
    for r, holder, other in left:
        names = [r.place] + [v for _, v in r.ids]
        if any(match.key(n) in merged_refs for n in names):
            merged.append(r)
        elif again & set(names):
            repeated.append((r, other))
        elif any(n in rejected for n in names) or any(named(r, x) for x in report.get("rejections") or []):
            refused.append(r)
        elif not r.facts["title"] and nameless > 0:  # its line says no more than that
            nameless -= 1
            refused.append(r)
        else:
            lost.append((r, holder, other))
    paired = {v.id for _, v in pairs}
    summary = dict(records=len(records), identities=len(first), entries=len(alive), merged=len(merged), repeated=len(repeated), rejected=len(refused),
                   lost=len(lost), strays=sum(v.id not in paired for v in alive), skolem=sum(any(skolem(x) for x in v.refs[:1]) for v in alive))
    return summary, pairs, lost


def named(r, rejection):
    """Whether a rejection that tells a line only is of a record: it says its title."""
    said = rejection["reason"] + " "
    return any(said.startswith(re.sub(r"\s+", " ", t).strip()[:60]) or f" {t} " in said for _, t in r.facts["title"] or [("", r.place)])


def tell(pairs, records):
    """Lets each record find the entry of another, for links between them."""
    entries = {r.place: v for r, v in pairs}
    for r in records:
        r.entry_of = entries.get


def one(c, data, out, assay, site, search=False):
    started = time.monotonic()
    path = os.path.join(ROOT, c["file"]) if c["file"].startswith("./") else os.path.join(data, c["file"])
    if not os.path.exists(path):
        return None
    work = os.path.join(out, c["name"])
    report, export, pages = harvest(c, path, work, assay, site)
    reader = importlib.import_module(c["reader"])
    files = sorted(f for f in glob.glob(os.path.join(path, "**"), recursive=True) if os.path.isfile(f)) if os.path.isdir(path) else [path]
    records, views = list(reader.read(files)), list(register.kept(export))
    summary, pairs, lost = account(records, views, report)
    tell(pairs, records)
    kept, shown = compare.Tally(), compare.Tally() if site else None
    for r, v in pairs:
        compare.compare(r, v, kept)
    if site:
        public = compare.Tally()  # what is kept of those that have a page
        for (r, v), page in zip(pairs, register.shown(pages, [v for _, v in pairs])):
            if page:
                compare.compare(r, page, shown)
                compare.compare(r, v, public)
        for f in compare.FIELDS:
            if shown.count(f) < public.count(f) or shown.count(f, compare.UNSTATED) > public.count(f, compare.UNSTATED):
                print(f"{c['name']}: {f}: {dict(public.n[f])} as it is kept, {dict(shown.n[f])} on the pages")
                summary["shown"] = False
        _, less, said = exports.look(pages, pairs, shown)
        for f, (page_says, table_says) in less.items():
            print(f"{c['name']}: {f}: {page_says} right on the pages, {table_says} in entries.full.csv, such as {[x for (g, _), x in said.examples.items() if g == f][:1]}")
            summary["exported"] = False
        look = publisher.Look(pages)
        for r, v in pairs:
            names = [n for _, own in r.facts["publisher"] for _, n in own]
            if names:
                look.at(v.id, v.slug, names)
        if look.wrong:
            look.tell()
            summary["named"] = False
        if public.n and recompute.main(pages, 600):
            summary["recomputed"] = False
        if search and known.look(pages, "sqlite:" + os.path.join(work, "assay.db"), assay, pairs):
            summary["found"] = False
        shutil.rmtree(pages)
    summary.update(name=c["name"], seconds=round(time.monotonic() - started, 1))
    text = table.catalogue(summary, kept, shown)
    write(os.path.join(work, "table.md"), text)
    write(os.path.join(work, "examples.txt"), "\n".join([f"lost: {r.place} {r.identity} {r.facts['title'][:1]}" + (f"\n    fell together with {o.place}" if o else "") for r, _, o in lost] +
                                                       list(table.examples(shown or kept))) + "\n")
    numbers = {f: dict(kept.n[f]) for f in compare.FIELDS if kept.n.get(f)}
    numbers = dict(summary, kind=c["kind"], fields=numbers)
    write(os.path.join(work, "numbers.json"), json.dumps(numbers, indent=1) + "\n")
    return text, numbers


def write(path, text):
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("--data", default=os.environ.get("ASSAY_CAPTURES", os.path.join(ROOT, "..", "shared", "data")), help="folder of the captures")
    p.add_argument("--out", default=os.path.join(ROOT, "out", "truth"))
    p.add_argument("--assay", default=os.path.join(ROOT, "bin", "assay"))
    p.add_argument("--page", action="store_true", help="take the numbers into site/docs/truth.md")
    p.add_argument("--floor", action="store_true", help="fail if a catalogue is worse than measured.json says it was")
    p.add_argument("--site", action="store_true", help="build the site and compare what it shows")
    p.add_argument("--search", action="store_true", help="look for known entries in the search of each site, and fail if too few are found")
    p.add_argument("names", nargs="*", help="catalogues of catalogues.tsv; those of this project alone with: own")
    a = p.parse_args()
    worse = []
    for c in catalogues():
        if a.names and not any(c["name"] == n or c["name"].startswith(n + "-") for n in a.names):
            continue
        compared = one(c, os.path.abspath(a.data), os.path.abspath(a.out), os.path.abspath(a.assay), a.site or a.search, a.search)
        if not compared:
            print(f"{c['name']}: no such file, left out", flush=True)
            continue
        print(compared[0], flush=True)
        if compared[1].get("found") is False:
            worse.append(f"{c['name']}: the search finds too few of the titles or words")
        if compared[1].get("shown") is False:
            worse.append(f"{c['name']}: the pages say less than what is kept, or more than what is stated")
        if compared[1].get("exported") is False:
            worse.append(f"{c['name']}: the table of full records says less than the pages")
        if compared[1].get("named") is False:
            worse.append(f"{c['name']}: the publisher has another name than the stated one in a form")
        if a.floor:
            worse += page.worse(compared[1])
        if a.page:
            page.keep([compared[1]])
    if a.page:
        page.main()
    if worse:
        sys.exit("worse than before:\n" + "\n".join(worse) + "\nexamples.txt beside each table has examples")


if __name__ == "__main__":
    main()
