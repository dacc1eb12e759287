import { Get, NotFoundException, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';

import { LastAdministratorError } from '../../auth/auth.errors.js';
import { KeyExpiredError } from '../../auth/consumers/consumers.errors.js';
import { User } from '../../auth/entities/user.entity.js';
import { CurrentUser } from '../../auth/http/auth.guards.js';
import { type Answer, redirect } from '../../platform/http/answer.js';
import { type Message, message } from '../../platform/i18n/message.js';
import { type FormError, formError } from '../forms.js';
import { RecentLogin } from '../login/confirm/recent-login.guard.js';
import type { PermissionChoice } from '../permission-choices.js';
import { type ShownPage, Template } from '../template.js';
import { adminNotice, type AdminPage, confirmPage, type Figure } from './admin-pages.js';

/** A user or a consumer key that an administrator can change. */
interface Subject {
  readonly id: string;
  readonly createdAt: Date;
  readonly disabledAt: Date | null;
}

/** A change that an administrator can make to a user or a key. */
export interface Change<T> {
  /** The value of the `done` query parameter, for which the next page shows a flash message. */
  readonly done: string;
  readonly apply: (subject: T, form: SentForm) => Promise<void>;
}

/** The fields of a form, and the administrator who has sent the form. */
interface SentForm {
  readonly by: User;
  readonly body: unknown;
}

/** A button that changes a user or a key. */
export interface AdminAction {
  /** The last part of the path to which the form of the button is sent. */
  readonly verb: string;
  readonly label: Message;
  readonly hint: Message;
  /** The name and the value of an additional field that the form of the button sends. */
  readonly field?: { readonly name: string; readonly value: string };
}

/** The content of the page of a user or a key. `DetailsController` adds whether the user or the key is disabled. */
export interface Details {
  readonly title: string;
  /** Short facts about the user or key, which the page shows in one line. */
  readonly summary: readonly Message[];
  readonly facts: readonly Figure[];
  /** The time from which on a key does not work any more. Undefined for a user, and for a key that never expires. */
  readonly expires?: Date | undefined;
  readonly actions: readonly AdminAction[];
  /** The permissions of a key. Undefined for a user. */
  readonly permissions?: readonly PermissionChoice[];
}

/** A user or a key in a list on the pages for administrators. `href` is the path of the page of this user or key. */
export interface AdminCard {
  readonly href: string;
  readonly title: string;
  readonly facts: readonly Message[];
  /** The time from which on a key does not work any more. Undefined for a user, and for a key that never expires. */
  readonly expires: Date | undefined;
}

interface DetailsModel extends Details, AdminPage {
  readonly path: string;
  readonly created: Date;
  readonly deleteLabel: Message;
}

const detailsPage = new Template<DetailsModel>('admin/details', { kind: 'reader' });

/** The reason why a change was rejected, and the HTTP status of the response. */
interface Rejection {
  readonly errors: readonly FormError[];
  readonly status: number;
}

/** Selects the page of a user or a key as the page to open after a confirmation. */
export const AT_DETAILS = {
  formPath: ({ path }: Request): string => path.slice(0, path.lastIndexOf('/')),
};

const NO_REJECTION: Rejection = { errors: [], status: 200 };

/**
 * The base class of the controllers of users and keys. Shows the page of one user or key, applies changes, and asks for
 * confirmation before a deletion. The subclasses add the list of users or keys, and the changes that need a separate
 * page.
 */
export abstract class DetailsController<T extends Subject> {
  protected abstract readonly kind: 'users' | 'keys';
  /** The changes that an administrator can make, keyed by the last part of the path to which the form is sent. */
  protected abstract readonly changes: ReadonlyMap<string, Change<T>>;

  /**
   * @throws DomainError with the code `not_found` if there is no user or key with this id, or if the id is malformed.
   */
  protected abstract find(id: string): Promise<T>;

  protected abstract describe(subject: T): Details;

  @Get(':id')
  @RecentLogin()
  async show(@Param('id') id: string, @Req() request: Request): Promise<ShownPage> {
    return this.showDetails(request, await this.find(id));
  }

  @Get(':id/delete')
  @RecentLogin()
  async askToDelete(@Param('id') id: string): Promise<ShownPage> {
    const subject = await this.find(id);
    const path = this.pathOf(subject);
    return confirmPage.page({
      heading: message(`admin.delete.title.${this.kind}`, { name: this.describe(subject).title }),
      text: message(`admin.delete.text.${this.kind}`),
      action: `${path}/delete`,
      label: message(`admin.delete.button.${this.kind}`),
      backHref: path,
    });
  }

  @Post(':id/:verb')
  @RecentLogin(AT_DETAILS)
  async change(
    @CurrentUser() by: User,
    @Param() { id = '', verb = '' }: Readonly<Partial<Record<'id' | 'verb', string>>>,
    @Req() request: Request,
  ): Promise<ShownPage | Answer> {
    const change = this.changes.get(verb);
    if (change === undefined) {
      throw new NotFoundException();
    }
    const subject = await this.find(id);
    try {
      await change.apply(subject, { by, body: request.body });
    } catch (error) {
      if (error instanceof LastAdministratorError || error instanceof KeyExpiredError) {
        return this.showDetails(request, subject, {
          errors: [formError(error.advice)],
          status: 409,
        });
      }
      throw error;
    }
    const path = verb === 'delete' ? `/admin/${this.kind}` : this.pathOf(subject);
    return redirect(`${path}?done=${change.done}`);
  }

  protected pathOf({ id }: T): string {
    return `/admin/${this.kind}/${id}`;
  }

  protected cardOf(subject: T): AdminCard {
    const { title, summary, expires } = this.describe(subject);
    const facts = [...summary, this.stateOf(subject)];
    return { href: this.pathOf(subject), title, facts, expires };
  }

  protected showDetails(
    request: Request,
    subject: T,
    { errors, status }: Rejection = NO_REJECTION,
  ): ShownPage {
    const details = this.describe(subject);
    const model = {
      ...details,
      facts: [
        ...details.facts,
        { name: message('admin.state.label'), value: this.stateOf(subject) },
      ],
      actions: [...details.actions, ...this.switchActions(subject)],
      path: this.pathOf(subject),
      created: subject.createdAt,
      deleteLabel: message(`admin.delete.link.${this.kind}`),
      notice: adminNotice(request),
      errors,
    };
    return detailsPage.page(model, { status });
  }

  protected stateOf({ disabledAt }: T): Message {
    return message(disabledAt === null ? 'admin.state.enabled' : 'admin.state.disabled');
  }

  /** Returns the button that disables or enables the user or the key. */
  protected switchActions({ disabledAt }: T): readonly AdminAction[] {
    return disabledAt === null
      ? [
          {
            verb: 'disable',
            label: message('admin.disable.label'),
            hint: message(`admin.disable.hint.${this.kind}`),
          },
        ]
      : [
          {
            verb: 'enable',
            label: message('admin.enable.label'),
            hint: message('admin.enable.hint'),
          },
        ];
  }
}
