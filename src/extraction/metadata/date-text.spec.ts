import { dateIn } from './date-text.js';

it.each([
  ['2024-03-09', '2024-03-09'],
  ['2024-03-09T23:30:00-05:00', '2024-03-09'],
  ['20240309', '2024-03-09'],
  ['1709942400', '2024-03-09'],
  ['1709942400000', '2024-03-09'],
  ['Sat, 09 Mar 2024 10:00:00 GMT', '2024-03-09'],
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
])('%s is %s', (text, day) => {
  expect(dateIn(text, { monthFirst: false })?.day).toBe(day);
});

it('knows the moment where the page tells it', () => {
  expect(dateIn('2024-03-09T23:30:00-05:00', { monthFirst: false })?.at.toISOString()).toBe(
    '2024-03-10T04:30:00.000Z',
  );
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
  '10:30',
  'Room 12, 2024 Main Street',
  '1066-10-14',
])('%j is no date', (text) => {
  expect(dateIn(text, { monthFirst: false })).toBeUndefined();
});
