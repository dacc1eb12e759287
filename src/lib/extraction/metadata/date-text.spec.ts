import { dateIn } from './date-text.js';

it.each([
  ['2024-03-09', '2024-03-09'],
  ['2024-03-09T23:30:00-05:00', '2024-03-09'],
  ['20240309', '2024-03-09'],
  ['1709942400', '2024-03-09'],
  ['1709942400000', '2024-03-09'],
  ['Sat, 09 Mar 2024 10:00:00 GMT', '2024-03-09'],
  ['Sat Mar  9 10:00:00 CET 2024', '2024-03-09'],
  ['Sat Mar 9 10:00:00 2024', '2024-03-09'],
  ['March 9, 2024', '2024-03-09'],
  ['Published Mar. 9th, 2024 at noon', '2024-03-09'],
  ['9 March 2024', '2024-03-09'],
  ['9. März 2024, 12:00 Uhr', '2024-03-09'],
  ['le 9 mars 2024', '2024-03-09'],
  ['9 de marzo de 2024', '2024-03-09'],
  ['9 marca 2024', '2024-03-09'],
  ['9 марта 2024 г.', '2024-03-09'],
  ['09.03.2024', '2024-03-09'],
  ['9.3.24', '2024-03-09'],
  ['2024年3月9日', '2024-03-09'],
  ['2024. 3. 9.', '2024-03-09'],
  ['31/12/2024', '2024-12-31'],
  ['2024 Jun 30', '2024-06-30'],
  ['2024. június 30', '2024-06-30'],
  ['9. Jänner 2024', '2024-01-09'],
  ['Sept. 9, 2024', '2024-09-09'],
  ['9 de setiembre del 2024', '2024-09-09'],
  ["9 d'abril de 2024", '2024-04-09'],
  ['dodano 9 listopada 2024 r.', '2024-11-09'],
  ['٩ مارس ٢٠٢٤', '2024-03-09'],
  ['２０２４年３月９日', '2024-03-09'],
  ['June 30,2024', '2024-06-30'],
  ['30/Jun/2024', '2024-06-30'],
  ['2024 30 Jun', '2024-06-30'],
  ['© 2024 12 May 2025', '2025-05-12'],
  ['Issue 12 Spring 2024 · 3 May 2024', '2024-05-03'],
  ['9.3.24, 12:30 Uhr', '2024-03-09'],
  ['von Ada Nordin, 9.3.24', '2024-03-09'],
  ['Stand: 09.03.24', '2024-03-09'],
  ['9 मई 2024', '2024-05-09'],
  ['९ मार्च २०२४', '2024-03-09'],
  ['9 फरवरी 2024', '2024-02-09'],
  ['9 सितम्बर 2024', '2024-09-09'],
  ['৯ মার্চ ২০২৪', '2024-03-09'],
  ['๙ มีนาคม ๒๕๖๗', '2024-03-09'],
  ['ngày 9 tháng 3 năm 2024', '2024-03-09'],
  ['9 tháng 3, 2024', '2024-03-09'],
  ['9 มีนาคม 2567', '2024-03-09'],
  ['9 มี.ค. 2567', '2024-03-09'],
  ['9 May 2567', undefined],
  ['令和6年3月9日', '2024-03-09'],
  ['平成元年3月9日', undefined],
  ['平成 31年 3月 9日', '2019-03-09'],
])('%s is %s', (text, day) => {
  expect(dateIn(text, { monthFirst: false })?.day).toBe(day);
});

it('knows the moment where the page tells it', () => {
  expect(dateIn('2024-03-09T23:30:00-05:00', { monthFirst: false })?.at.toISOString()).toBe(
    '2024-03-10T04:30:00.000Z',
  );
});

it.each([
  ['pl', '9 listopada 2024', '2024-11-09'],
  ['hr', '9. listopada 2024.', '2024-10-09'],
  ['cs', '9. listopadu 2024', '2024-11-09'],
  ['xx', '9 listopada 2024', '2024-11-09'],
])('knows months in the language of the page: %s', (language, text, day) => {
  expect(dateIn(text, { monthFirst: false, language })?.day).toBe(day);
});

it.each([
  ['12/03/2026', true, '2026-04-01', '2026-03-12'],
  ['12/03/2026', true, '2027-01-01', '2026-12-03'],
  ['12/03/2026', false, '2027-01-01', '2026-03-12'],
  ['03/12/2026', false, '2026-04-01', '2026-03-12'],
  ['03.12.2026', false, '2026-12-03', '2026-12-03'],
  ['12/03/2026', true, '2026-03-01', undefined],
  ['2026-12-03', false, '2026-12-02', undefined],
  ['December 3, 2026', true, '2026-12-02', undefined],
  ['1796256000', true, '2026-12-02', undefined],
])('%s, month first: %s, until %s, is %s', (text, monthFirst, latestDay, day) => {
  expect(dateIn(text, { monthFirst, latestDay })?.day).toBe(day);
});

it('reads slashes as the page means them', () => {
  expect(dateIn('03/09/2024', { monthFirst: true })?.day).toBe('2024-03-09');
  expect(dateIn('03/09/2024', { monthFirst: false })?.day).toBe('2024-09-03');
  expect(dateIn('13/09/2024', { monthFirst: true })?.day).toBe('2024-09-13');
});

it.each([
  '',
  'yesterday',
  '2024-02-31',
  '99.99.2024',
  'version 1.2.3',
  'Django 4.2.11 release notes',
  'Docs 1.10.24',
  '4.2.11 release notes',
  '10:30',
  'Room 12, 2024 Main Street',
  '2 days ago',
  'vor 3 Tagen',
  'hace 2 horas',
  '3日前',
  '1066-10-14',
])('%j is no date', (text) => {
  expect(dateIn(text, { monthFirst: false })).toBeUndefined();
});
