import type { ItemRow } from '../list/item-row.js';
import type { Outcome } from '../list/outcome.js';
import type { PageFacts } from '../page-facts.js';
import { presentAddedItem, type WireAddedItem } from './add.presenter.js';
import type { DialectRules } from './dialect-rules.js';

/** What became of one action; `row` is the item that it put into the list, where the dialect shows it. */
export type ActionResult = Outcome & { readonly row?: ItemRow; readonly facts?: PageFacts };

interface WireActionError {
  readonly message: string;
  readonly type: string;
  readonly code: number;
}

/** The answer of send (docs/api/send.md): both arrays have one element for each action, in the order sent. */
export interface WireSend {
  readonly status: 0 | 1;
  readonly action_results: readonly (boolean | WireAddedItem)[];
  readonly action_errors: readonly (WireActionError | null)[];
}

export const presentSend = (results: readonly ActionResult[], rules: DialectRules): WireSend => ({
  status: rules.sendStatus(results.every(({ ok }) => ok)),
  action_results: results.map(presentResult),
  action_errors: results.map(presentError),
});

const presentResult = ({ ok, row, facts }: ActionResult): boolean | WireAddedItem =>
  row === undefined ? ok : presentAddedItem(row, facts);

function presentError(result: ActionResult): WireActionError | null {
  if (result.ok) {
    return null;
  }
  const { message, type, code } = result.refusal;
  return { message, type, code };
}
