// Extracts the page from standard input in a process that does nothing else. Prints the processor time, the processor
// time of an ordinary page as a measure of the machine, and the peak memory of the process.
import process from 'node:process';
import { text } from 'node:stream/consumers';

import { extractPage } from '../../dist/src/lib/extraction/extract-page.js';

const url = 'https://courier.example/stories/one';
const PARAGRAPHS = 3_000;
const ordinary = `<title>A quiet page</title><h1>A quiet page</h1>${'<p>This is a paragraph of a page that somebody wrote, with some words, a comma or two, and a full stop.</p>'.repeat(PARAGRAPHS)}`;

function measured(html) {
  const before = process.cpuUsage();
  const page = extractPage({ html, url });
  const { user, system } = process.cpuUsage(before);
  return { page, seconds: (user + system) / 1e6 };
}

const html = await text(process.stdin);
const reference = measured(ordinary);
const { page, seconds } = measured(html);
process.stdout.write(
  JSON.stringify({
    title: page.title,
    text: page.text,
    seconds,
    ratio: seconds / reference.seconds,
    megabytes: process.resourceUsage().maxRSS / 1024,
  }),
);
