import { Injectable } from '@nestjs/common';

import type { User } from '../../../auth/entities/user.entity.js';
import { Passkeys } from '../../../auth/passkeys/passkeys.js';
import type { Message } from '../../../platform/i18n/message.js';
import type { FormError } from '../../forms.js';
import { type ShownPage, Template } from '../../template.js';
import { type LoginVisit, onwardFieldsOf } from '../login-visit.js';
import { type OnwardFields, pathTo } from '../onward.js';

interface CodeModel extends OnwardFields {
  readonly errors: readonly FormError[];
  readonly againHref: string | undefined;
  /** True if the user can use a passkey instead of a code. */
  readonly hasPasskey: boolean;
}

const codePage = new Template<CodeModel>('login/code/code', { kind: 'login' });

/** The page that asks for the second factor after the password. */
@Injectable()
export class CodePage {
  constructor(private readonly passkeys: Passkeys) {}

  /** `error` explains why the previous code or passkey was rejected. */
  async show(user: User, visit: LoginVisit, error?: FormError): Promise<ShownPage> {
    const model = {
      errors: error === undefined ? [] : [error],
      againHref: visit.kept === undefined ? pathTo('/auth/login', visit.onward) : undefined,
      hasPasskey: await this.passkeys.has(user),
      ...onwardFieldsOf(visit),
    };
    return codePage.page(model, { status: error === undefined ? 200 : 403 });
  }
}

export const codeError = (text: Message): FormError => ({ field: 'otp', text });
