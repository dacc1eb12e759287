import { DONE, type Outcome, Refusal, refused } from '../list/outcome.js';
import { isIgnoredAction } from './ignored-actions.js';
import { RawAction } from './raw-action.js';

/** What becomes of an element of `actions` in a call for nobody: reports of the original's apps about their use succeed, nothing else is there to be done. */
export function outcomeOfReport(value: unknown): Outcome {
  const name = RawAction.from(value)?.member('action');
  if (typeof name !== 'string') {
    return refused(Refusal.unnamedAction());
  }
  return isIgnoredAction(name) ? DONE : refused(Refusal.unknownAction(name));
}
