package source

import (
	"strings"
	"sync"

	"github.com/assay-register/assay/render/catalog"
)

// accessWords are what publishers write for the three codes of the EU access-right table, folded: its codes and labels,
// the words of DCAT-US (accessLevel), of the COAR vocabulary and of INSPIRE (LimitationsOnPublicAccess), and those of
// countries and their portals. A word that may be said of a fee or a licence, such as "free", is none.
var accessWords = sync.OnceValue(func() map[string]catalog.AccessRights {
	m := map[string]catalog.AccessRights{}
	for rights, words := range map[catalog.AccessRights]string{
		catalog.RightsPublic: `public open openaccess nolimitations unrestricted cabf2 offentlig openbaar offentlich oeffentlich offentlichzuganglich
		esgeltenkeinezugriffsbeschrankungen keinebeschrankungen keinezugriffsbeschrankungen publique aucunelimitationdacces accespublic publico publica
		accesopublico accessopubblico pubblico ejbegransad ejbegransadatkomst ingenbegransning allmantillganglig verejny julkinen publiczny javno avalik
		nyilvanos geenbeperkingen freizuganglich offen opendata offenedaten acceslibre libre ouvert donneesouvertes accesoabierto abierto datosabiertos
		accesolibre acessopublico acessoaberto acessolivre aberto dadosabertos aperto accessolibero accessoaperto datiaperti oppen oppnadata apnedata
		offentligt avoin avointieto otevrenadata verejne verejnypristup otvorene otvorenedata dosteppubliczny dostepny dostepnypublicznie dostepotwarty
		otwarty nyilt publicaccess publiclyavailable openbaretoegang noaccessrestrictions norestrictions nolimitationsonpublicaccess
		nolimitationstopublicaccess 公開 一般公開 公开 開放 공개 개방 δημοσια δημοσιο δημοσιασ δημοσιαπροσβαση ανοικτα ανοιχτα публичен публичени публично публичнидостъп
		откритиданни публічна публічнаінформація публічний відкритідані відкриті відкритийдоступ общедоступно общедоступные открытыеданные открытый
		открытыйдоступ публичный јавни отворениподаци publisks publiski publiskapieejamiba atvertiedati viesas viesai atviriduomenys atviras avaandmed avatud
		accesliber accespublicul datedeschise publicul ogolnodostepny ogolnodostepne jawne javni javen javnidostop otvorenipodaci javnidostup prost
		prostdostop odprtipodatki opid opin opingogn opinberopid オープン オープンデータ 公开数据 開放資料 sinrestricciones sinrestriccion accesosinrestricciones sinlimitaciones
		semrestricoes senzarestrizioni nessunarestrizione sansrestriction sansrestrictions aucunerestriction ohneeinschrankung ohneeinschrankungen
		keineeinschrankung keineeinschrankungen unbeschrankt uneingeschrankt ohnebeschrankung zonderbeperkingen vrijtoegankelijk geenbeperking bezomezeni
		bezobmedzeni bezograniczen brakograniczen utanbegransning ingenbegransningar ingenbegrensning ingenbegrensninger udenbegraensning eirajoituksia
		unrestrictedaccess openforall openaccesslicense nyilvanoshozzaferes เปิดเผย สาธารณะ ข้อมูลสาธารณะ علني عام مفتوح ציבורי פתוח
		halkaacik acik acikveri`,
		catalog.RightsRestricted: `restricted restrictedpublic restrictedaccess c16ec begrenset limited sensitive eingeschrankt beschrankt restreint accesrestreint restringido
		restringida restrito limitato begransad begraenset beperkt rajoitettu eingeschranktzuganglich beschrankterzugang eingeschrankterzugang
		accesorestringido acessorestrito restrita accessolimitato accessoristretto ristretto limitado begrensetoffentlighet begrensettilgang begransadatkomst
		beperktetoegang ograniczony dostepograniczony omezeny omezenypristup obmedzeny rajoitettupaasy 限定公開 제한공개 περιορισμενη περιορισμενα ограничен
		ограничендостъп обмежений обмеженийдоступ ограниченный ограниченныйдоступ ограничено ierobezota ierobezotapieejamiba ribotas ribota ribotojinaudojimo
		piiratud piiratudjuurdepaas restrictionat accesrestrictionat restrictii korlatozott ograniceno ogranicen ogranicenpristup omejen omejendostop
		takmarkad takmarkadur accesorestringida sinlirli kisitli 限制公開 受限`,
		catalog.RightsNonPublic: `nonpublic private closed confidential closedaccess metadataonlyaccess c14cb nichtoffentlich nonpublique nopublico nonpubblico naopublico ikkeoffentlig
		unntattoffentlighet ickeoffentlig nietopenbaar neverejny eijulkinen prive privado privata confidencial confidentiel vertraulich niepubliczny
		niepubliczne neverejne ikkeoffentligt fortrolig nichtoffentlichzuganglich 非公開 不公開 不公开 비공개 μηδημοσια μηδημοσιο εμπιστευτικη непубличен непубличний
		непубличный конфіденційно конфіденційна служебная nepublisks nepubliska neviesas mitteavalik salastatud nepublic nepublicul nemnyilvanos nejavni
		nijavno nejavno ekkiopinbert ekkiopinber ogolnieniedostepne gizli kapali`,
	} {
		for w := range strings.FieldsSeq(words) {
			m[foldName(w)] = rights
		}
	}
	return m
})

// AccessRights is the code of the EU access-right table that an IRI or a word
// stands for.
func AccessRights(raw string) (catalog.AccessRights, bool) {
	rights, ok := accessWords()[strings.TrimPrefix(foldName(LastSegment(strings.TrimSpace(raw))), "coar")]
	return rights, ok
}
