"""Reads every calendar of a built site, and of further folders, with Debian's icalendar and holds it to
RFC 5545: calendars.py SITE_DIR [FOLDER...]. One of them has events, or nothing was judged."""

import datetime
import pathlib
import sys

import icalendar

site, folders = pathlib.Path(sys.argv[1]), [pathlib.Path(f) for f in sys.argv[2:]]
faults = []
count = events = 0


def judge(route, raw):
    global events
    for line in raw.split(b"\r\n"):
        if b"\n" in line or b"\r" in line or len(line) > 75:
            faults.append(f"{route}: a line is longer than 75 octets, or does not end in CRLF (section 3.1): {line[:40]!r}")
        try:
            line.decode()
        except UnicodeDecodeError:
            faults.append(f"{route}: a letter is folded apart (section 3.1): {line[:40]!r}")
    calendar = icalendar.Calendar.from_ical(raw)
    if calendar.get("version") != "2.0" or not calendar.get("prodid"):
        faults.append(f"{route}: no VERSION 2.0 or no PRODID (section 3.6)")
    for part in calendar.walk():
        if part.errors:
            faults.append(f"{route}: {part.name}: {part.errors}")
    seen = set()
    for event in calendar.walk("VEVENT"):
        events += 1
        for name in ("uid", "dtstamp", "dtstart", "summary"):
            if name not in event:
                faults.append(f"{route}: an event has no {name.upper()} (section 3.6.1)")
        uid = str(event.get("uid"))
        if uid in seen:
            faults.append(f"{route}: {uid} stands twice")
        seen.add(uid)
        start, end = event.decoded("dtstart"), event.decoded("dtend", None)
        if end is not None and end <= start:
            faults.append(f"{route}: {uid} ends before it begins")
        if isinstance(start, datetime.datetime) and start.tzinfo is None:
            faults.append(f"{route}: {uid} is at no time zone")


for folder in [site / "api/v1/feeds", *folders]:
    for path in sorted(folder.rglob("*.ics")):
        count += 1
        try:
            judge(str(path), path.read_bytes())
        except ValueError as error:
            faults.append(f"{path}: {error}")
if count == 0:
    faults.append("there is no calendar")
if events == 0:
    faults.append("no calendar has an event")
print(f"{count} calendars with {events} events, {len(faults)} faults")
for fault in faults[:20]:
    print(fault)
sys.exit(1 if faults else 0)
