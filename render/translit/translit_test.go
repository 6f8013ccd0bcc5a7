package translit

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestASCIIFor(t *testing.T) {
	tests := []struct {
		name, lang, in, want string
	}{
		{"Ukrainian ministry", "uk", "Міністерство юстиції України", "Ministerstvo yustytsii Ukrainy"},
		{"Ukrainian zgh", "uk", "Згурівка", "Zghurivka"},
		{"Ukrainian apostrophe", "uk", "Знам’янка", "Znamianka"},
		{"Ukrainian modifier apostrophe", "", "Прокопʼєва", "Prokopieva"},
		{"Ukrainian initial letters", "", "Їжакевич Єнакієве Йосипівка", "Yizhakevych Yenakiieve Yosypivka"},
		{"Ukrainian initial ya needs a hint", "uk", "Яготин", "Yahotyn"},
		{"Ukrainian after hyphen", "uk", "Івано-Франківськ", "Ivano-Frankivsk"},
		{"Ukrainian guessed", "", "Державний реєстр", "Derzhavnyi reiestr"},
		{"Ukrainian capitals", "uk", "ЩАСТЯ", "SHCHASTIA"},
		{"Bulgarian by law", "bg", "Република България", "Republika Bulgaria"},
		{"Bulgarian guessed", "", "Списък на общините", "Spisak na obshtinite"},
		{"Bulgarian initial hard sign", "", "Ъглово", "Aglovo"},
		{"Bulgarian final ия", "bg", "София", "Sofia"},
		{"Bulgarian ьо", "bg", "Кольо Фичето", "Kolyo Ficheto"},
		{"Russian", "", "Федеральная служба государственной статистики", "Federalnaya sluzhba gosudarstvennoy statistiki"},
		{"Russian hard sign stays mute", "", "Объект", "Obekt"},
		{"Russian ё", "ru", "Королёв", "Korolyov"},
		{"Russian stress mark", "ru", "Москва́", "Moskva"},
		{"Serbian", "", "Република Србија", "Republika Srbija"},
		{"Serbian digraph letters", "sr", "Љиљана Ђорђевић Џепина", "Ljiljana Djordjevic Dzepina"},
		{"Serbian with script tag", "sr-Cyrl-RS", "Скупштина", "Skupstina"},
		{"Serbian Latin", "sr-Latn", "Skupština", "Skupstina"},
		{"Macedonian", "", "Ѓорче Петров, Ќосево", "Gjorche Petrov, Kjosevo"},
		{"Macedonian hint", "mk", "Државен завод за статистика, Џепчиште", "Drzhaven zavod za statistika, Dzhepchishte"},
		{"Belarusian", "", "Магілёў", "Mahilyow"},
		{"Belarusian by ы", "", "Мінскі гарадскі выканаўчы камітэт", "Minski haradski vykanawchy kamitet"},
		{"Kazakh is not Ukrainian", "", "Қазақстан Республикасының Үкіметі", "Kazakstan Respublikasynyn Ukimeti"},
		{"Kazakh by hint only", "kk", "Елімай", "Elimay"},
		{"Greek buildings", "el", "Κτίρια", "Ktiria"},
		{"Greek ου and αι", "", "Υπουργείο Δικαιοσύνης", "Ypourgeio Dikaiosynis"},
		{"Greek ευ before vowel and τ", "", "Ευρώπη, ευτυχία, Εύβοια", "Evropi, eftychia, Evvoia"},
		{"Greek αυ at the end", "", "ταυ", "taf"},
		{"Greek diaeresis", "", "Πραΰλιος, Αϋφαντή", "Praylios, Ayfanti"},
		{"Greek accent breaks the pair", "", "άυλος", "aylos"},
		{"Greek μπ", "", "Μπαλάσκας, Αμπελόκηποι", "Balaskas, Ampelokipoi"},
		{"Greek γγ γκ γξ γχ", "", "Άγγελος γκαράζ Σφίγξ έλεγχος", "Angelos gkaraz Sfinx elenchos"},
		{"Greek capitals", "", "ΨΗΦΙΑΚΗ ΔΙΑΚΥΒΕΡΝΗΣΗ", "PSIFIAKI DIAKYVERNISI"},
		{"Greek polytonic", "", "Ἀθῆναι", "Athinai"},
		{"German", "de", "Straßenverzeichnis Köln, Übersicht", "Strassenverzeichnis Koln, Ubersicht"},
		{"French", "fr", "Données d’Île-de-France : œuvres", "Donnees d'Ile-de-France : oeuvres"},
		{"Polish", "pl", "Województwo łódzkie", "Wojewodztwo lodzkie"},
		{"Czech", "cs", "Český úřad zeměměřický", "Cesky urad zememericky"},
		{"Danish", "da", "Ærø Kommune, Aarhus Å", "Aero Kommune, Aarhus A"},
		{"Icelandic", "is", "Þjóðskrá Íslands", "Thjodskra Islands"},
		{"Turkish", "tr", "Türkiye İstatistik Kurumu, Iğdır", "Turkiye Istatistik Kurumu, Igdir"},
		{"Romanian", "ro", "Ministerul Sănătății", "Ministerul Sanatatii"},
		{"Hungarian", "hu", "Központi Statisztikai Hivatal, Győr", "Kozponti Statisztikai Hivatal, Gyor"},
		{"Vietnamese", "vi", "Đà Nẵng", "Da Nang"},
		{"Maltese", "mt", "Għawdex u Ħamrun", "Ghawdex u Hamrun"},
		{"Northern Sami", "se", "Sámediggi, Ŋáhpel, Ŧ", "Samediggi, Nahpel, T"},
		{"Azerbaijani", "az", "Azərbaycan", "Azerbaycan"},
		{"Chinese", "zh", "北京市统计局", "Bei Jing Shi Tong Ji Ju"},
		{"Korean", "ko", "서울특별시", "seoulteugbyeolsi"},
		{"Korean decomposed", "ko", "서울", "seoul"},
		{"Arabic", "ar", "العراق", "lrq"},
		{"Hebrew", "he", "ישראל", "ySHrAl"},
		{"Georgian", "ka", "საქართველო", "sakartvelo"},
		{"Armenian", "hy", "Հայաստան", "Hayastan"},
		{"Hindi", "hi", "भारत सरकार", "bhaart srkaar"},
		{"half-width katakana", "ja", "ﾃﾞｰﾀ", "deta"},
		{"ASCII is untouched", "uk", " HM Revenue & Customs ", " HM Revenue & Customs "},
		{"invalid UTF-8", "", "Ko\xfflnü", "Kolnu"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := ASCIIFor(tt.in, tt.lang); got != tt.want {
				t.Errorf("ASCIIFor(%q, %q) = %q, want %q", tt.in, tt.lang, got, tt.want)
			}
		})
	}
}

func TestASCIIGuessesLanguage(t *testing.T) {
	if got, want := ASCIIFor("Реєстр", ""), ASCIIFor("Реєстр", "uk"); got != want {
		t.Errorf("ASCII = %q, want %q as with the hint", got, want)
	}
}

func FuzzASCII(f *testing.F) {
	for _, s := range []string{"Κτίρια", "Знам’янка", "\xff\xfe", "北京", "e\u0301", "'Я", "\u0483а", "ﬀ½№"} {
		f.Add(s, "")
	}
	f.Fuzz(func(t *testing.T, s, lang string) {
		got := ASCIIFor(s, lang)
		for i := range len(got) {
			if got[i] >= utf8.RuneSelf {
				t.Fatalf("ASCIIFor(%q, %q) = %q is not ASCII", s, lang, got)
			}
		}
		if again := ASCIIFor(got, lang); again != got {
			t.Fatalf("ASCIIFor is not idempotent: %q, then %q", got, again)
		}
	})
}

func BenchmarkSlug(b *testing.B) {
	name := strings.Repeat("Міністерство юстиції України Κτίρια ", 3)
	for b.Loop() {
		Slug(name, "", 80)
	}
}
