"""Reads every XML feed of a built site with Universal Feed Parser: judge.py SITE_DIR"""
import os
import sys

import feedparser

feeds, faults = 0, []
for folder, _, names in sorted(os.walk(os.path.join(sys.argv[1], "api", "v1", "feeds"))):
    for name in sorted(names):
        if not name.endswith((".rss", ".atom")):
            continue
        file = os.path.join(folder, name)
        feeds += 1
        with open(file, "rb") as f:
            feed = feedparser.parse(f.read(), response_headers={"content-type": "application/xml; charset=utf-8"})
        if feed.bozo:
            faults.append(f"{file}: {feed.bozo_exception}")
        if feed.version not in ("rss20", "atom10"):
            faults.append(f"{file}: version {feed.version!r}")
        for e in feed.entries:
            if not (e.get("id") and e.get("title") and e.get("link") and e.get("published_parsed")):
                faults.append(f"{file}: an item has no id, title, link or date: {e.get('id')}")
            if e.get("guidislink"):
                faults.append(f"{file}: an id is taken for a link: {e.id}")
print(f"{feeds} XML feeds, {len(faults)} faults")
sys.exit("\n".join(faults[:50]) if faults else 0)
