// The items that each compared program stores before it is measured.
const WORDS = ['garden', 'night', 'reading', 'king', 'pattern', 'postgres', 'zurich', 'perl'];

/** A third of the items has the tag, and an eighth the word in its title. */
export const [TAG, WORD] = ['later', 'garden'];

export const itemOf = (at) => ({
  url: `https://site${at}.example/articles/${at}`,
  title: `The ${WORDS[at % WORDS.length]} of row ${at}`,
  tags: at % 3 === 0 ? [TAG, `topic${at % 100}`] : [],
});

/** An item that is saved while the program is measured. A run does not repeat the items of the last run. */
const run = Date.now().toString(36);
export const newItem = (at) => ({ url: `https://example.com/peers/${run}/${at}`, title: 'Saved' });
