"""Which mail addresses the catalogue itself shows to be a person's."""
import re
import unicodedata

from shape import mail

# Hosts at which private people have their mailboxes.
PRIVATE = {"gmail.com", "googlemail.com", "hotmail.com", "outlook.com", "live.com", "yahoo.com", "icloud.com", "aol.com", "gmx.de", "web.de", "orange.fr", "free.fr", "proton.me"}

# Words that say that a name or a mailbox is no person's.
BODY = re.compile(r"\b(info|data\w*|open\w*|contact\w*|gis|geo|sig|help\w*|support|services?|servi[czc]\w*|dienst\w*|office|team|web\w*|admin\w*|press|stat\w*|metadata|"
                  r"secretar\w*|librar\w*|api|apis|portal\w*|public\w*|mail\w*|archiv\w*|repl(y|ies)|rights|center|centre|centr\w*|zentrum|department|d[ei]p\w*|minist\w*|agen[ct]\w*|"
                  r"institut\w*|universit\w*|labor\w*|museum|bureau|group|gmbh|inc|ltd|llc|corp\w*|foundation|association|authority|council|commission|committee|program\w*|"
                  r"projects?|accounts?|dev|dev(?:ex|rel|ops|eloper\w*)|tech\w*|polic\w+|p[eê]ches|gouvernement|kanton|canton|provinc\w*|area|wonen|diseases?|\w*stelle|government|product\w*|formation|demand\w*|national|system\w*|survey|city|county|state|ville|commune|stad|gemeente|amt|bundesamt|service\w*|bank|program|comments|customer|developer\w*|"
                  r"platform|consult\w*|direc\w*|registr\w*|coordin\w*|subsecret\w*|unit|division|section|branch|research|science|technology|water|health|energy|land|"
                  r"network|laboratory|company|society|board|bank|school|academy|college|federal|royal|maintain\w*|questions?|privacy|security|legal|communi\w*)\b|中心|研究|大學|政府|公司|學會|專題|GIS", re.I)
# Given names that are frequent in the countries of the captures.
GIVEN = set("""
aaron adam adrian agnes alan albert alex alexander alexandra alexandre alice amanda amelie andrea andreas andrew andy angela ann anna anne anthony antoine antonio
arnaud arthur audrey barbara bart ben benjamin benoit bernard bert brian bruce bruno camille carl carlos carol caroline catherine cecile charles charlotte chris
christian christina christine christoph christophe christopher claire clara claude claudia clement daniel daniela david deborah denis dennis diana diane didier
dirk dominique donald dorothy edward elena elisabeth elizabeth els emily emma eric erik erwin estelle evan eva fabien fabrice filip florence florian francesca
francesco francisco franck francois frank fred frederic frederik gabriel geert george gerard gilles giovanni greg gregory guillaume guy hans heather helen helene
henri henry hugo ian ingrid isabelle ivan jack jacques james jan jane jason jean jeff jennifer jens jeroen jessica jim joachim joan johan johannes john jonas
jonathan jorge jose joseph juan jules julia julie julien jurgen karen karin karl kate katherine kathleen katrien kenneth kevin klaus koen kris kurt laura laurence
laurent lea leo lien linda lisa louis louise luc lucas lucie luis luke maarten mael manuel marc marcel margaret maria marie marine mario marion mark markus martin
martine mary mathieu matthew matthias max maxime melanie melinda michael michel michelle miguel mike monica monique nancy nathalie nicholas nico nicolas nicole nina olivier
oscar pablo pascal patricia patrick paul pauline pedro peter petra philip philippe pierre pieter quentin rachel ralf raphael rebecca rene richard robert roberto
robin roger roland romain ronald ruth ryan sabine sally sam samuel sandra sandrine sara sarah scott sebastien sharon simon sofie sophie stefan stefaan stephane
stephanie stephen steve steven stijn susan susanne sven sylvain sylvie tara thibault thierry thomas tim tom tony toni usha valerie vanessa veronique victor vincent
virginie walter werner wim william wouter xavier yann yves yvonne zoe
""".split())
HAN = re.compile("[\u4e00-\u9fff]{2,4}")
PLACE = re.compile("[縣市局處署部院館所會系校隊司組室]$")


def words(s):
    """The words of a name or a mailbox in plain small letters."""
    s = unicodedata.normalize("NFKD", s.replace("\u2019", "'").replace("'", "").replace("ø", "o").replace("ł", "l").replace("ß", "ss")).casefold()
    return re.findall(r"[a-z]+", "".join(c for c in s if not unicodedata.combining(c)))


def people(names):
    """Each name of a person among those that are stated for a contact."""
    names = re.sub(r"^([^\W\d]+), ([^\W\d]+(?: \w\.?)?)$", r"\2 \1", names, flags=re.M)  # Roe, Jane
    for line in re.split(r"[|\n]", names):
        yield from people_of(line)


def people_of(line):
    """The persons of one stated name; what follows the name of a body in Latin letters is a part of it."""
    parts = re.split(r"[,;/\\()（），、；]|\s-(?:\s|$)|\sand\s", line)
    if line.isascii() and BODY.search(parts[0]):
        return
    for one in parts:
        one = one.replace("_", " ").strip()
        if HAN.fullmatch(one):
            if not PLACE.search(one) and not BODY.search(one):
                yield one
            continue
        parts = one.split()
        if 2 <= len(parts) <= 6 and not re.search(r"\d", one) and not BODY.search(one) and all((p[0].isupper() and cased(p)) or len(p) <= 4 and p.islower() or line.islower() for p in parts):
            yield one


def cased(word):
    """Whether capitals stand where they do in a name: first, after a hyphen, or everywhere."""
    return all(w[:1] + w[1:].lower() == w or w.isupper() and len(w) > 3 for w in re.split(r"[-'’.]|(?<=Mc)|(?<=Mac)|(?<=De)|(?<=Van)", word) if w)


def ties(local, name):
    """Whether a mailbox is called as a person is: by family name, by given name, or by initials."""
    box, own = words(local), words(name)
    if not own:
        return False
    whole = "".join(box)
    for b in box:
        for o in own:
            if len(b) > 2 and b == o or len(o) > 3 and o in b or len(b) > 3 and o.startswith(b) or len(o) > 2 and b == own[0][0] + o:
                return True
    return whole == "".join(own) or len(own) > 1 and len(whole) in (2, 3, 4) and whole[0] == own[0][0] and whole[-1] == own[-1][0] and set(whole) <= {o[0] for o in own}


def personal(form, names):
    """A mailbox is a person's if the stated name of a person proves it. Where no
    name of a person stands beside it, a private mailbox, one of the form j.doe or
    jane.doe with a frequent given name, or a login that stands as the name, proves
    it, too, unless it says what it is for."""
    box = mail(form)
    if not box:
        return False
    local, host = box.split("@")
    # A mailbox with a word of the body that is named ("x.omgeving" of the Departement Omgeving), and no given name or initial, is its.
    house = {w for part in re.split(r"[,;/()|\n]", names) if BODY.search(part) for w in words(part) if len(w) > 3}
    parts = re.split(r"[._-]", local)
    if house & set(words(local)) and not any(len(p) < 2 or p in GIVEN for p in parts):
        return False
    persons = [n for n in people(names) if not ({w for w in words(n) if len(w) > 3} & set(words(local)) & set(words(host)))]
    if any(ties(local, n) for n in persons):
        return True
    if BODY.search(" ".join(words(local))):
        return False
    if any(HAN.fullmatch(n) for n in persons):
        return True
    parts = re.split(r"[._]", local)
    if len(parts) > 1 and all(re.fullmatch("[a-z-]+", p) for p in parts) and (parts[0] in GIVEN or parts[-1] in GIVEN):
        return True
    # A name in small letters that is the mailbox itself is a login: no body writes itself so.
    if not re.search("data|geo|info|meta|map|service|support", local) and any(n.strip() == local and re.fullmatch("[a-z]+", local) for n in names.split("\n")):
        return True
    if host in PRIVATE:
        return bool(persons) or not ties(local, names)
    return bool(re.fullmatch(r"[a-z][._][a-z]{3,}", local))
