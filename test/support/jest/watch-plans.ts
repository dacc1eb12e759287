import { endWatch, isBlind, takeOffences, watchPlans } from '../watched-plans.js';

beforeAll(watchPlans);

afterAll(() => {
  endWatch();
  expect(takeOffences()).toEqual([]);
  // A file with a database in which no statement of the service was seen proves nothing.
  expect({ isBlind: isBlind() }).toEqual({ isBlind: false });
});
