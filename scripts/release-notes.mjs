// Prints the section of one version in CHANGELOG.md, for the release on the code host (.github/workflows/release.yml).
//
//   node scripts/release-notes.mjs 1.2.0
import { readFileSync } from 'node:fs';

const [version = ''] = process.argv.slice(2);
const sections = readFileSync('CHANGELOG.md', 'utf8').split(/^(?=## )/m);
const section = sections.find((text) => /^## (?<name>\S+)/.exec(text)?.groups.name === version);
if (section === undefined) {
  console.error(`CHANGELOG.md has no section for version ${version}`);
  process.exitCode = 1;
} else {
  console.log(section.slice(section.indexOf('\n')).trim());
}
