import { Get, Param, Post, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';

import { ConsumerKeysService, keyName } from '../../../auth/consumers/consumer-keys.service.js';
import { ConsumerKeyNotFoundError } from '../../../auth/consumers/consumers.errors.js';
import { type ConsumerKey, Dialect } from '../../../auth/consumers/entities/consumer-key.entity.js';
import { isExpired, keyStateOf } from '../../../auth/consumers/key-state.js';
import { validityProblems } from '../../../auth/consumers/key-validity.js';
import { ALL_PERMISSIONS, type Permission } from '../../../auth/consumers/permission.js';
import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { Clock } from '../../../platform/common/clock.js';
import { isId, textOf } from '../../../platform/common/request-fields.js';
import { type Answer, redirect } from '../../../platform/http/answer.js';
import { type Message, message, plainText } from '../../../platform/i18n/message.js';
import { type FormError, problemErrors } from '../../forms.js';
import { RecentLogin } from '../../login/confirm/recent-login.guard.js';
import { Page } from '../../page.js';
import {
  namedPermission,
  type PermissionChoice,
  permissionChoices,
  permissionsIn,
} from '../../permission-choices.js';
import { type ShownPage, Template } from '../../template.js';
import { validDaysIn, type ValidityChoice, validityChoices } from '../../validity.js';
import { adminNotice, type AdminPage, secretPage } from '../admin-pages.js';
import { AdministratorGuard } from '../administrator.guard.js';
import {
  type AdminAction,
  type AdminCard,
  AT_DETAILS,
  type Change,
  type Details,
  DetailsController,
} from '../details.controller.js';

interface KeysModel extends AdminPage {
  readonly cards: readonly AdminCard[];
  /** The name that the administrator has typed in the form for a new key. */
  readonly name: string;
  readonly permissions: readonly PermissionChoice[];
  readonly validities: readonly ValidityChoice[];
}

const keysPage = new Template<KeysModel>('admin/keys/keys', { kind: 'reader' });

const NO_PERMISSION: FormError = {
  field: 'permissions',
  text: message('admin.keys.noPermission'),
};

/**
 * The pages on which an administrator views and changes the keys of applications. The same changes are possible on the
 * command line.
 */
@UseGuards(AdministratorGuard)
@Page('admin/keys')
export class AdminKeysController extends DetailsController<ConsumerKey> {
  protected override readonly kind = 'keys';

  protected override readonly changes = new Map<string, Change<ConsumerKey>>([
    ['disable', { done: 'disabled', apply: ({ id }, { by }) => this.keys.disable(id, by) }],
    ['enable', { done: 'enabled', apply: (key, { by }) => this.keys.enable(key.id, by) }],
    ['delete', { done: 'deleted', apply: ({ id }, { by }) => this.keys.delete(id, by) }],
  ]);

  constructor(
    private readonly keys: ConsumerKeysService,
    private readonly clock: Clock,
  ) {
    super();
  }

  @Get()
  @RecentLogin()
  list(@Req() request: Request): Promise<ShownPage> {
    return this.showKeys(request);
  }

  @Post()
  @RecentLogin()
  async create(@CurrentUser() by: User, @Req() request: Request): Promise<ShownPage> {
    const details = newKeyIn(request.body);
    if (Array.isArray(details)) {
      return this.showKeys(request, details);
    }
    const { name, permissions, validDays } = details;
    const { key, stored } = await this.keys.create(
      { name, permissions, dialect: Dialect.Standard },
      { by, validDays },
    );
    return secretPage.page({
      heading: message('admin.keys.created.title', { name: stored.name }),
      text: message('admin.keys.created.text'),
      label: message('admin.keys.created.label'),
      value: key,
      backHref: this.pathOf(stored),
    });
  }

  @Post(':id/permissions')
  @RecentLogin(AT_DETAILS)
  async permit(
    @CurrentUser() by: User,
    @Param('id') id: string,
    @Req() request: Request,
  ): Promise<ShownPage | Answer> {
    const key = await this.find(id);
    const permissions = permissionsIn(request.body);
    if (permissions.length === 0) {
      return this.showDetails(request, key, { errors: [NO_PERMISSION], status: 400 });
    }
    await this.keys.update(key.id, { permissions }, by);
    return redirect(`${this.pathOf(key)}?done=permissions`);
  }

  /** @throws ConsumerKeyNotFoundError if no key has the id, or if the id is malformed. */
  protected override find(id: string): Promise<ConsumerKey> {
    if (!isId(id)) {
      throw new ConsumerKeyNotFoundError('with this number');
    }
    return this.keys.findById(id);
  }

  protected override describe(key: ConsumerKey): Details {
    return {
      title: key.name,
      summary: [
        message('admin.keys.numbered', { number: key.id }),
        plainText(key.permissions.join(', ')),
      ],
      facts: [
        { name: message('admin.keys.number'), value: plainText(key.id) },
        { name: message('admin.keys.dialect'), value: plainText(key.dialect) },
      ],
      actions: [],
      permissions: permissionChoices(key.permissions, namedPermission),
      expires: key.expiresAt ?? undefined,
    };
  }

  protected override stateOf(key: ConsumerKey): Message {
    return message(`admin.state.${keyStateOf(key, this.clock.now())}`);
  }

  /** Offers no button that enables an expired key, because the key would still not work. */
  protected override switchActions(key: ConsumerKey): readonly AdminAction[] {
    const isDead = key.disabledAt !== null && isExpired(key, this.clock.now());
    return isDead ? [] : super.switchActions(key);
  }

  private async showKeys(request: Request, errors: readonly FormError[] = []): Promise<ShownPage> {
    const keys = await this.keys.list();
    const isRejected = errors.length > 0;
    const model = {
      notice: adminNotice(request),
      errors,
      cards: keys.map((key) => this.cardOf(key)),
      name: textOf(request.body, 'name'),
      permissions: permissionChoices(
        isRejected ? permissionsIn(request.body) : ALL_PERMISSIONS,
        namedPermission,
      ),
      validities: validityChoices(validDaysIn(request.body)),
    };
    return keysPage.page(model, { status: isRejected ? 400 : 200 });
  }
}

interface NewKey {
  readonly name: string;
  readonly permissions: Permission[];
  readonly validDays: number | undefined;
}

/** Returns the values of the form for a new key, or the errors of the form. */
function newKeyIn(body: unknown): NewKey | FormError[] {
  const name = keyName(textOf(body, 'name'));
  const permissions = permissionsIn(body);
  const validDays = validDaysIn(body);
  const errors = [
    ...(permissions.length === 0 ? [NO_PERMISSION] : []),
    ...problemErrors(validityProblems(validDays)),
  ];
  if (name === undefined) {
    return [{ field: 'name', text: message('admin.keys.invalidName') }, ...errors];
  }
  return errors.length > 0 ? errors : { name, permissions, validDays };
}
