import { type AddedItemResponse, presentAddedItem } from '../add/add.presenter.js';
import type { DialectRules } from '../dialect-rules.js';
import type { ActionOutcome } from '../list/action-outcome.js';

interface ActionErrorResponse {
  readonly message: string;
  readonly type: string;
  readonly code: number;
}

/**
 * The response of `/v3/send` (docs/api/send.md). Both arrays have one element for each action, in the order of the
 * actions.
 */
export interface SendResponse {
  readonly status: 0 | 1;
  readonly action_results: readonly (boolean | AddedItemResponse)[];
  readonly action_errors: readonly (ActionErrorResponse | null)[];
}

export const presentSend = (
  results: readonly ActionOutcome[],
  rules: DialectRules,
): SendResponse => ({
  status: rules.sendStatus(results.every(({ ok }) => ok)),
  action_results: results.map(presentResult),
  action_errors: results.map(presentError),
});

const presentResult = (result: ActionOutcome): boolean | AddedItemResponse =>
  result.ok && result.row !== undefined ? presentAddedItem(result.row) : result.ok;

function presentError(result: ActionOutcome): ActionErrorResponse | null {
  if (result.ok) {
    return null;
  }
  const { message, type, code } = result.refusal;
  return { message, type, code };
}
