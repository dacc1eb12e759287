import { languageTagIn } from './language-tag.js';

it.each([
  ['de', 'de'],
  [' EN ', 'en'],
  ['DE_AT', 'de-AT'],
  ['zh-Hant-TW', 'zh-Hant-TW'],
  ['English', undefined],
  ['e', undefined],
  ['', undefined],
])('reads %j as the language tag %j', (text, tag) => {
  expect(languageTagIn(text)).toBe(tag);
});
