"""Looks for known entries by what their catalogue calls them.

Serves a site that was built of a catalogue, and asks its search for the titles
and the title words of records as an independent reader states them. A title is
found where its entry, or an entry with the same title and publisher, stands
among the answers.
"""
import collections
import json
import os
import random
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

import register
from shape import base, fold, machine

# Goals of each language: titles found first and among the first ten, and the
# share of the entries with a title word that a search for it finds.
FIRST, TEN, RECALL = 0.90, 0.97, 0.98
TITLES, WORDS = 150, 60


class Service:
    """A service on a free port of this machine."""

    def __init__(self, assay, site, db):
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            self.base = f"http://127.0.0.1:{s.getsockname()[1]}"
        self.process = subprocess.Popen([assay, "serve", "--site", site, "--db", db, "--worker=false", "--limit-reads", "0", "--addr", self.base[7:]],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=os.path.dirname(os.path.abspath(site)))
        for _ in range(600):
            try:
                urllib.request.urlopen(self.base + "/health", timeout=5)
                return
            except OSError:
                if self.process.poll() is not None:
                    raise SystemExit("the service ended before it answered")
                time.sleep(0.1)
        raise SystemExit("the service does not answer")

    def search(self, q, **more):
        query = urllib.parse.urlencode(dict(q=q, **more))
        try:
            with urllib.request.urlopen(f"{self.base}/api/v1/entries/search?{query}", timeout=60) as r:
                return json.load(r)
        except urllib.error.HTTPError as e:
            print(f"  {e.code} for {q[:200]}: {e.read()[:400]}", file=sys.stderr)
            return {"items": [], "total_pages": 0}

    def end(self):
        self.process.terminate()
        self.process.wait(30)


def titles_of(pairs):
    """(language, title, record, entry) of every title that a person wrote."""
    by = collections.defaultdict(list)
    for r, v in pairs:
        for lang, title in r.facts["title"]:
            if lang and not machine(lang):
                by[base(lang)].append((title, r, v))
    return by


def look_for_titles(service, by, same, rng):
    missed = 0
    for lang in sorted(by):
        chosen = rng.sample(by[lang], min(TITLES, len(by[lang])))
        first = ten = 0
        for title, _, v in chosen:
            fits = same[v.id] | same[fold(title), v.publisher[0] if v.publisher else ""]
            found = [x["entry"]["id"] for x in service.search(title, limit=10)["items"]]
            rank = next((i for i, x in enumerate(found) if x in fits), None)
            first, ten = first + (rank == 0), ten + (rank is not None)
            if rank != 0:
                print(f"  {lang} {'later' if rank else 'missed'}: {title[:150]}", file=sys.stderr)
        n = len(chosen)
        print(f"{lang}: {n} titles, first {first / n:.1%}, in the first ten {ten / n:.1%}", flush=True)
        missed += first / n < FIRST or ten / n < TEN
    return missed


def look_for_words(service, by, rng):
    """The share of the entries whose title has a word that a search for it finds."""
    missed = 0
    for lang in sorted(by):
        holders = collections.defaultdict(set)
        for title, _, v in by[lang]:
            for w in re.findall(r"[^\W\d_]{4,}", title.lower()):
                holders[w].add(v.id)
        words = sorted(w for w, ids in holders.items() if 2 <= len(ids) <= 500)
        wanted = got = 0
        for w in rng.sample(words, min(WORDS, len(words))):
            found, page = set(), 1
            while True:
                answer = service.search(w, limit=100, page=page)
                found |= {x["entry"]["id"] for x in answer["items"]}
                if page >= min(answer["total_pages"], 20):
                    break
                page += 1
            wanted, got = wanted + len(holders[w]), got + len(holders[w] & found)
            if not holders[w] <= found:
                print(f"  {lang} {w}: {len(holders[w] & found)} of {len(holders[w])}", file=sys.stderr)
        if wanted:
            print(f"{lang}: recall of title words {got / wanted:.4f} ({got} of {wanted})", flush=True)
            missed += got / wanted < RECALL
    return missed


def alike(views):
    """The entries that count as found for another: of one title and publisher."""
    same = collections.defaultdict(set)
    for v in views:
        same[v.id].add(v.id)
        for title in [*v.titles.values(), *v.alternatives]:
            same[fold(title), v.publisher[0] if v.publisher else ""].add(v.id)
    return same


def look(site, db, assay, pairs, seed=20261123):
    """How many goals are missed over pairs of a record and its entry."""
    shown = [v for v in register.shown(site, [v for _, v in pairs]) if v]
    if not shown:
        raise SystemExit(f"{site} shows none of the entries: give the directory of pages, not the folder of snapshots")
    rng, by = random.Random(seed), titles_of(pairs)
    service = Service(assay, os.path.abspath(site), db)
    try:
        return look_for_titles(service, by, alike(shown), rng) + look_for_words(service, by, rng)
    finally:
        service.end()
