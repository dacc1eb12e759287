// Orders test files. Integration tests often wait for limits, silent servers and threads. They are spread among the
// others, so that waiting workers leave the processor to busy ones.
import Sequencer from '@jest/test-sequencer';

const isWaiting = ({ path }) => path.endsWith('.int-spec.ts');

export default class SpreadingSequencer extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const waiting = sorted.filter(isWaiting);
    const others = sorted.filter((test) => !isWaiting(test));
    const place = (all) => (test, at) => [(at + 0.5) / all.length, test];
    return [...waiting.map(place(waiting)), ...others.map(place(others))]
      .sort(([one], [other]) => one - other)
      .map(([, test]) => test);
  }
}
