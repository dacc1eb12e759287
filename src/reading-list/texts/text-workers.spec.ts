import { restAfter } from './text-workers.module.js';

it('rests twice as long as indexing took', () => {
  expect(restAfter(120)).toBe(240);
});

it('rests two seconds at most, even after a server was silent for a minute', () => {
  expect(restAfter(60_000)).toBe(2000);
});
