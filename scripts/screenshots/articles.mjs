// The pages in the documentation's screenshots. Their texts and drawings were made for this purpose, so no third party
// owns them.

const sky = (top, bottom) =>
  `<defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/></linearGradient></defs><rect width="800" height="450" fill="url(#sky)"/>`;

const drawing = (content) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="450" viewBox="0 0 800 450">${content}</svg>`;

export const DRAWINGS = {
  lighthouse: drawing(
    `${sky('#27406b', '#f3b183')}<circle cx="590" cy="300" r="46" fill="#ffe3b0"/><rect y="330" width="800" height="120" fill="#1c3550"/><path d="M0 360 L330 330 L420 450 L0 450z" fill="#15202e"/><path d="M205 340 L222 150 L262 150 L279 340z" fill="#f4efe6"/><path d="M212 260 L216 215 L268 215 L272 260z" fill="#c4483c"/><rect x="218" y="118" width="48" height="32" fill="#ffd86b"/><path d="M210 118 L242 88 L274 118z" fill="#8d2f28"/>`,
  ),
  mountains: drawing(
    `${sky('#9cc7e0', '#eaf3f2')}<path d="M0 450 L190 150 L330 330 L480 110 L800 450z" fill="#7f97a8"/><path d="M150 213 L190 150 L238 211 L205 200z M430 184 L480 110 L545 180 L500 165z" fill="#fff"/><path d="M0 450 L0 370 Q200 300 420 370 T800 340 L800 450z" fill="#3f6b52"/><path d="M0 450 L0 420 Q260 360 520 415 T800 400 L800 450z" fill="#2c4f3d"/>`,
  ),
  bread: drawing(
    `<rect width="800" height="450" fill="#efe4d2"/><rect y="330" width="800" height="120" fill="#b98a5d"/><ellipse cx="400" cy="350" rx="300" ry="36" fill="#8c633d"/><path d="M150 330 Q140 170 400 165 Q660 170 650 330z" fill="#a9642b"/><path d="M185 320 Q180 195 400 190 Q620 195 615 320z" fill="#c9843f"/><g stroke="#f3dcae" stroke-width="14" stroke-linecap="round"><path d="M290 230 L340 300"/><path d="M380 215 L430 300"/><path d="M470 220 L520 300"/></g>`,
  ),
  library: drawing(
    `<rect width="800" height="450" fill="#3b2d26"/><g>${['#b5533c', '#d7a54a', '#4f7a6b', '#7d5a8c', '#c9b79a', '#3f5f86', '#93493f', '#6b8f4e', '#d0d0c0', '#a77b3a', '#5c6f80', '#b86b77'].map((colour, at) => `<rect x="${40 + at * 60}" y="${60 + (at % 3) * 18}" width="${46 + (at % 2) * 8}" height="${150 - (at % 3) * 18}" fill="${colour}"/><rect x="${40 + ((at * 7) % 12) * 60}" y="${270 + (at % 4) * 12}" width="50" height="${140 - (at % 4) * 12}" fill="${colour}"/>`).join('')}</g><g fill="#2a1f1a"><rect y="210" width="800" height="16"/><rect y="410" width="800" height="40"/></g>`,
  ),
  train: drawing(
    `${sky('#1b2140', '#56407a')}<circle cx="660" cy="90" r="38" fill="#f6efd2"/><path d="M0 330 Q220 250 420 320 T800 290 L800 450 L0 450z" fill="#231d3a"/><rect y="372" width="800" height="8" fill="#8a83a6"/><rect x="90" y="292" width="560" height="76" rx="14" fill="#b8423f"/><path d="M650 368 L650 292 L690 292 Q730 330 736 368z" fill="#b8423f"/><g fill="#ffe7a3">${[120, 190, 260, 330, 400, 470, 540, 610].map((x) => `<rect x="${x}" y="308" width="46" height="28" rx="4"/>`).join('')}</g>`,
  ),
};

const DARKNESS = [
  'The lamp had burned oil, then petroleum, then gas, and since 1931 a bulb no larger than a fist. What nobody had reckoned with, when the tower was handed over to a timer, was that the timer would have to be told about fog.',
  'Marta Lindgren lives at the foot of it, in the house that was built for three keepers and their quarrels. She is not a keeper. She teaches chemistry in the town, eleven kilometres away, and she rents the house because it was cheap, and because on her first evening there a ship answered.',
  'It answered by sounding its horn twice, which she later learned is not an answer at all but a question, put to anyone within hearing. That night there was nobody else. So she went up the ninety-four steps, and found that the door to the lantern was not locked, and that a lamp of this size is warm in the way that a sleeping animal is warm.',
  'A light is a promise that somebody is awake. This is what the old keepers wrote into their book, in different hands and with different spellings, over a hundred and twenty years. Ships that have radar, and charts that draw themselves, still slow down when they pass it.',
  'She keeps the book now. Nobody has asked her to. Each evening has a line: the wind, the hour at which the lamp came on, and what went by. On most evenings nothing does. She writes that down as well, since a night on which nothing happened is, for those who were out in it, the best kind.',
];
const OF_PAPER = [
  'There is a room under the reading hall where books go to rest. They lie flat, between boards, for as long as it takes, and the person who decides how long that is has never been in a hurry.',
  'Paper remembers how it was held. A page that was read by lamplight has a different curl from one that was read in bed, and a good binder sees from the spine which chapter was read twice.',
  'Most of what is done here is waiting, and most of the rest is glue.',
];

/** In the order of saving. The list shows the last one first. Each text begins in its own way, as an excerpt shows. */
export const ARTICLES = [
  {
    ...{ host: 'plain-software.example', path: '/queues', tags: 'databases, to try' },
    title: 'A queue is a table: twelve years of doing less',
    author: 'Tom Achterberg',
    paragraphs: [
      'We took the message broker out on a Tuesday, and nobody noticed until the invoice did not arrive. Since then our queue is a table with four columns, and a job is a row that somebody has locked.',
      ...[...OF_PAPER, ...DARKNESS, ...OF_PAPER, ...DARKNESS],
    ],
  },
  {
    ...{ host: 'slow-rails.example', path: '/night-train', drawing: 'train', tags: 'travel' },
    title: 'Eleven hours to the sea: in praise of the night train',
    author: 'Mireille Sato',
    paragraphs: [
      'You board after dinner with a book and a toothbrush, and the city lets go of you without a word. By the third tunnel the corridor is quiet, and the only decision left is which way to face.',
      ...[...DARKNESS, ...OF_PAPER, ...DARKNESS, ...DARKNESS, ...OF_PAPER],
    ],
  },
  {
    ...{ host: 'reading-hall.example', path: '/paper', drawing: 'library', tags: 'books, crafts' },
    title: 'The patient work of mending paper',
    author: 'Ada Lowell',
    paragraphs: [...OF_PAPER, ...DARKNESS, ...OF_PAPER],
  },
  {
    ...{ host: 'crumb.example', path: '/sourdough', drawing: 'bread', tags: 'kitchen, to try' },
    title: 'What your sourdough is trying to tell you',
    author: 'Jonas Weiss',
    paragraphs: [
      'A starter has moods, and most of them are the temperature of your kitchen. If it smells of apples, bake tomorrow. If it smells of paint, feed it twice and forgive yourself.',
      ...[...OF_PAPER, ...DARKNESS],
    ],
  },
  {
    ...{ host: 'high-ground.example', path: '/hut', drawing: 'mountains', tags: 'travel, maps' },
    title: 'Three days between two huts, with a map from 1954 and no hurry at all',
    author: 'Lena Brandt',
    paragraphs: [
      'The map shows a bridge that the river took in 1961, and a path that only goats still believe in. We followed both, and were late for supper in the best possible way.',
      ...[...DARKNESS, ...OF_PAPER, ...DARKNESS],
    ],
  },
  {
    ...{ host: 'north-coast.example', path: '/lamp', drawing: 'lighthouse', tags: 'sea, essays' },
    title: 'The last lamp on the north coast',
    author: 'Ines Halvorsen',
    paragraphs: DARKNESS,
  },
];

/** A page that the site does not have, for the view of pages that could not be fetched. */
export const MISSING = {
  host: 'high-ground.example',
  path: '/closed',
  title: 'A path that closed',
};
