import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';

import type { User } from '../../auth/entities/user.entity.js';
import { csrfTokenOf } from '../csrf.guard.js';
import { Pages } from '../pages.js';
import { type KeptForm, keptText } from './kept-form.js';

interface ResendVisit {
  readonly request: Request;
  readonly response: Response;
  /** The user who is logged in now. Another person may have filled in the form. */
  readonly user: User;
  readonly kept: KeptForm;
  readonly status?: number;
}

/** The labels of the fields of reader forms. For other fields, the page shows the name of the field. */
const LABELS: ReadonlyMap<string, string> = new Map([
  ['action', 'Action'],
  ['url', 'Address'],
  ['title', 'Title'],
  ['tags', 'Tags'],
  ['note', 'Note'],
  ['quote', 'Passage'],
  ['item[]', 'Item'],
]);
/** Fields that are not shown, because the person has not filled them in. `back` is the page to return to. */
const UNSHOWN = new Set(['back']);

/**
 * Shows a form that was sent after the session had ended. The form is sent again only after the person has confirmed.
 */
@Injectable()
export class ResendPage {
  constructor(private readonly pages: Pages) {}

  show({ request, response, user, kept, status = 200 }: ResendVisit): void {
    const model = {
      csrfToken: csrfTokenOf(request),
      email: user.email,
      action: kept.action,
      fields: kept.fields.map(([name, value]) => ({ name, value })),
      shown: kept.fields
        .filter(([name, value]) => !UNSHOWN.has(name) && value !== '')
        .map(([name, value]) => ({ label: LABELS.get(name) ?? name, value })),
      keptText: keptText(kept),
    };
    this.pages.show(response, 'resend', model, { status });
  }
}
