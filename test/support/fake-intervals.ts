/** For `jest.useFakeTimers`: fakes only intervals, since the database client needs the other timers. */
export const INTERVALS_ONLY = {
  doNotFake: [
    ...(['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
    ...(['setImmediate', 'clearImmediate', 'setTimeout', 'clearTimeout'] as const),
  ],
};
