import type { User } from '../../../auth/entities/user.entity.js';
import { type Message, message, plainText } from '../../../platform/i18n/message.js';
import { type ShownPage, Template } from '../../template.js';
import { type KeptForm, keptText } from '../kept-form.js';

interface ResendModel {
  readonly intro: Message;
  readonly email: string;
  readonly form: KeptForm;
  readonly formText: string;
  readonly shown: readonly { readonly label: Message; readonly value: string }[];
}

const resendPage = new Template<ResendModel>('login/resend/resend');

/**
 * The labels of form fields on the page that asks the user to send a form again. For fields without a label, the page
 * shows the name of the field.
 */
const LABELS: ReadonlyMap<string, Message> = new Map([
  ['action', message('login.resend.fields.action')],
  ['url', message('common.address')],
  ['title', message('common.title')],
  ['tags', message('common.tags')],
  ['name', message('common.name')],
  ['email', message('common.email')],
  ['note', message('login.resend.fields.note')],
  ['quote', message('login.resend.fields.quote')],
  ['item[]', message('login.resend.fields.item')],
]);
/**
 * The fields that the page does not show to the user. `back` is the address of the page to open
 * after the form is sent.
 */
const UNSHOWN = new Set(['back']);

interface ResendOptions {
  readonly status?: number;
  /** The reason why the form was not sent. */
  readonly intro?: Message;
}

/**
 * Shows a form that was sent after the session had ended, and asks the logged-in user to send the form again. The user
 * must confirm, because another person may have filled in the form.
 */
export const askToResend = (
  { email }: User,
  form: KeptForm,
  { status = 200, intro = message('login.resend.intro') }: ResendOptions = {},
): ShownPage =>
  resendPage.page(
    {
      intro,
      email,
      form,
      formText: keptText(form),
      shown: form.fields
        .filter(([name, value]) => !UNSHOWN.has(name) && value !== '')
        .map(([name, value]) => ({ label: LABELS.get(name) ?? plainText(name), value })),
    },
    { status },
  );
