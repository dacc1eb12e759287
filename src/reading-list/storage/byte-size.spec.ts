import { byteSizeText } from './byte-size.js';

it.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1000, '1 KB'],
  [12_345_678, '12.3 MB'],
  [999_960, '1 MB'],
  [5_000_000_000, '5 GB'],
  [5_000_000_000_000_000, '5,000 TB'],
])('shows %d bytes as %s', (bytes, text) => {
  expect(byteSizeText(bytes)).toBe(text);
});
