// Writes a register of extremes as CSV, for the layout: node extremes.mjs >FILE
const row = (cells) => cells.map((c) => `"${String(c).replaceAll('"', '""')}"`).join(",");
const words = "Regional register of environmental measurement stations and their calibration histories ";
const entries = [
  { name: (words.repeat(4)).slice(0, 300), description: words.repeat(40) },
  { name: "Umweltdatenbereitstellungsschnittstellenverordnungsdurchführungs".repeat(5).slice(0, 300), description: "x".repeat(2000) },
  { name: "سجل قياسات جودة الهواء في المدن الكبرى والمناطق الصناعية (API v2)", description: "بيانات كل ساعة من محطات الرصد، CSV و JSON." },
  { name: "מרשם תחנות ניטור איכות האוויר", description: "נתונים שעתיים." },
  { name: "Nothing else is known" },
  { name: "Five thousand tags", tags: Array.from({ length: 5000 }, (_, i) => `topic-${i}`).join(";") },
  { name: "<script>alert(1)</script> & \"quotes\" {{.}}", description: "‮gnirts desrever‬ <b>bold</b>" },
  { name: "東京都環境局大気汚染常時監視測定局データ".repeat(8) },
];
const columns = ["name", "url", "type", "description", "tags", "institution", "format"];
console.log(columns.join(","));
entries.forEach((e, i) => console.log(row([e.name, `https://data${i}.example.org/${i === 1 ? "path/".repeat(120) : "api"}`, i % 2 ? "DATASET" : "API", e.description ?? "", e.tags ?? "",
  i < 3 ? "Ministry of extraordinarily long names and of everything that goes with them, department of the environment" : "", i === 0 ? "CSV;JSON;XML;PARQUET;GEOJSON" : ""])));
