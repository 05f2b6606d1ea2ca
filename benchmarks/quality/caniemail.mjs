// Prints which elements and inline styles of the HTML files given are not known to every large mail program.
// What stands in <style> is enhancement only and is left out: letters stay readable without it.
import { readFileSync } from "node:fs";
import { caniemail } from "caniemail";

const clients = ["gmail.*", "outlook.*", "apple-mail.*", "yahoo.*", "thunderbird.*"];
const borne = new Set(["<body> element", "role attribute", "text-decoration", "dir attribute", "lang attribute"]);
let wrong = 0;
for (const file of process.argv.slice(2)) {
  const html = readFileSync(file, "utf8").replace(/<style>[\s\S]*?<\/style>/g, "");
  for (const [client, issues] of caniemail({ clients, html }).issues.errors) {
    for (const { title } of issues.filter(({ title }) => !borne.has(title))) {
      console.log(`${file}: ${title} is not known to ${client}`);
      wrong += 1;
    }
  }
}
console.log(`${process.argv.length - 2} letters, ${wrong} faults`);
process.exit(wrong ? 1 : 0);
