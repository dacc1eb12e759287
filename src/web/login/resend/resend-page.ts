import type { User } from '../../../auth/entities/user.entity.js';
import { type Message, message, plainText } from '../../../platform/i18n/message.js';
import { type ShownPage, Template } from '../../template.js';
import { type KeptForm, keptText } from '../kept-form.js';

interface ResendModel {
  readonly email: string;
  readonly form: KeptForm;
  readonly formText: string;
  readonly shown: readonly { readonly label: Message; readonly value: string }[];
}

const resendPage = new Template<ResendModel>('login/resend/resend');

/** The labels of the fields of reader forms. For other fields, the page shows the name of the field. */
const LABELS: ReadonlyMap<string, Message> = new Map([
  ['action', message('login.resend.fields.action')],
  ['url', message('common.address')],
  ['title', message('common.title')],
  ['tags', message('common.tags')],
  ['note', message('login.resend.fields.note')],
  ['quote', message('login.resend.fields.quote')],
  ['item[]', message('login.resend.fields.item')],
]);
/** Fields that are not shown, because the person has not filled them in. `back` is the page to return to. */
const UNSHOWN = new Set(['back']);

/**
 * Shows a form that was sent after the session had ended. The form is sent again only after the person has confirmed.
 * The user is the one who is logged in now. Another person may have filled in the form.
 */
export const askToResend = ({ email }: User, form: KeptForm, status = 200): ShownPage =>
  resendPage.page(
    {
      email,
      form,
      formText: keptText(form),
      shown: form.fields
        .filter(([name, value]) => !UNSHOWN.has(name) && value !== '')
        .map(([name, value]) => ({ label: LABELS.get(name) ?? plainText(name), value })),
    },
    { status },
  );
