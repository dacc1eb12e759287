import { Message, message, plainText } from './message.js';
import { english, translatorTo } from './translator.js';

it('writes the values of a message', () => {
  expect(english.text('permissions.named', { permission: 'add', phrase: 'save pages' })).toBe(
    'add: save pages',
  );
});

it('writes messages, lists of messages and dates as values', () => {
  const permissions = [
    message('permissions.short.retrieve'),
    message('permissions.short.add'),
    message('permissions.short.modify'),
  ];

  expect(english.text(message('permissions.summary', { permissions }))).toBe(
    'see your list, save pages and change your list',
  );
  expect(english.text(plainText('as it is'))).toBe('as it is');
  expect(english.date(new Date('2026-05-03T14:05:00Z'))).toBe('3 May 2026 at 14:05 UTC');
  expect(english.day(new Date('2026-05-03T23:59:00Z'))).toBe('3 May 2026');
  expect(english.zonedDate(new Date('2026-05-03T23:59:00Z'), 'Europe/Vienna')).toBe(
    'Monday 4 May at 01:59 CEST',
  );
});

it('never evaluates a value as a message', () => {
  const hostile = '{{text}} $t(common.address) <account>x</account>';

  expect(english.text(plainText(hostile))).toBe(hostile);
  expect(english.html('plain', { text: hostile }, { account: '<a href="/">' })).toBe(
    '{{text}} $t(common.address) &lt;account&gt;x&lt;/account&gt;',
  );
});

it('inserts no value into another value', () => {
  const values = { permission: '{{phrase}}', phrase: 'save pages' };

  expect(english.text('permissions.named', values)).toBe('{{phrase}}: save pages');
});

it('replaces the tags of a message and escapes the values between them', () => {
  const link = '<a href="/account">';

  expect(english.html('extension.keyHint', {}, { account: link })).toContain(
    'on your <a href="/account">account page</a>.',
  );
  expect(english.html('extension.keyHint', {}, {})).toContain(
    '&lt;account&gt;account page&lt;/account&gt;',
  );
  expect(english.html('plain', { text: `"a" & 'b'` }, {})).toBe(
    '&quot;a&quot; &amp; &apos;b&apos;',
  );
});

it('selects the plural form by the value `count`', () => {
  expect(english.text(new Message('list.total', { count: 1 }))).toBe('1 item');
  expect(english.text(new Message('list.total', { count: 1234 }))).toBe('1,234 items');
});

it('translates to German, with German numbers, dates and lists', () => {
  const german = translatorTo('de');
  const permissions = [message('permissions.short.add'), message('permissions.short.retrieve')];

  expect(german.text('list.total', { count: 1 })).toBe('1 Eintrag');
  expect(german.text('list.total', { count: 1234 })).toBe('1.234 Einträge');
  expect(german.text('permissions.summary', { permissions })).toBe(
    'Seiten speichern und die Liste sehen',
  );
  expect(german.date(new Date('2026-05-03T14:05:00Z'))).toBe('3. Mai 2026 um 14:05 UTC');
  expect(german.day(new Date('2026-05-03T14:05:00Z'))).toBe('3. Mai 2026');
});

it('returns one translator for each language', () => {
  expect(translatorTo('de')).toBe(translatorTo('de'));
  expect(translatorTo('en')).toBe(english);
});

it('marks all texts of the pseudo-language, and makes them longer', () => {
  const pseudo = translatorTo('en-XA');

  expect(pseudo.text('list.total', { count: 1234 })).toBe('[1,234 ítéms~~]');
  expect(pseudo.html('feeds.tagAddress', { url: 'a' }, { address: '<b>' })).toMatch(
    /^\[<b>a<\/b> \(réplácé NAME wíth/u,
  );
  expect(pseudo.text('feeds.title')).toBe('[Fééds~~]');
});
