import {
  Controller,
  Get,
  NotFoundException,
  Param,
  Post,
  Req,
  Res,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import type { Request, Response } from 'express';

import { ConsumerKeysService, keyName } from '../../auth/consumers/consumer-keys.service.js';
import { ConsumerKeyNotFoundError } from '../../auth/consumers/consumers.errors.js';
import { type ConsumerKey, Dialect } from '../../auth/consumers/entities/consumer-key.entity.js';
import { ALL_PERMISSIONS, type Permission } from '../../auth/consumers/permission.js';
import {
  fieldProblem,
  type Problem,
  ValidationFailedError,
} from '../../platform/common/common.errors.js';
import { isId, textOf } from '../../platform/common/request-fields.js';
import { Public } from '../../platform/http/public.js';
import { momentOf } from '../account/view-models.js';
import { CsrfGuard, csrfTokenOf } from '../csrf.guard.js';
import { formErrorsOf } from '../forms.js';
import { PageErrorFilter } from '../page-error.filter.js';
import { goTo, Pages, READER_POLICY } from '../pages.js';
import { namedPermission, permissionChoices, permissionsIn } from '../permission-choices.js';
import type { FormError } from '../views.js';
import { VisitorGuard } from '../visitors.js';
import { adminNotice, keyActions, keyCard, keyFacts, keyPath } from './admin-models.js';
import { AdministratorGuard } from './administrator.guard.js';

const NO_PERMISSION = fieldProblem('permissions', 'must have at least one');

/**
 * The pages on which an administrator views and changes the keys of applications. The same changes are possible on the
 * command line.
 */
@Public()
@UseFilters(PageErrorFilter)
@UseGuards(VisitorGuard, AdministratorGuard)
@Controller('admin/keys')
export class AdminKeysController {
  constructor(
    private readonly pages: Pages,
    private readonly keys: ConsumerKeysService,
  ) {}

  @Get()
  async list(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.showKeys(request, response);
  }

  @Post()
  @UseGuards(CsrfGuard)
  async create(@Req() request: Request, @Res() response: Response): Promise<void> {
    const details = newKeyIn(request.body);
    if (Array.isArray(details)) {
      await this.showKeys(request, response, formErrorsOf(new ValidationFailedError(details)));
      return;
    }
    const { key, stored } = await this.keys.create({ ...details, dialect: Dialect.Standard });
    const model = {
      heading: `The key of ${stored.name}`,
      text: 'Put it into the application. It is shown only now.',
      label: 'Consumer key',
      value: key,
      backHref: keyPath(stored),
    };
    this.pages.show(response, 'admin/secret', model, { policy: READER_POLICY });
  }

  @Get(':id')
  async show(
    @Param('id') id: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    this.showKey(request, response, await this.find(id));
  }

  @Get(':id/delete')
  async askToDelete(
    @Param('id') id: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const key = await this.find(id);
    const model = {
      csrfToken: csrfTokenOf(request),
      heading: `Delete the key of ${key.name}?`,
      text: 'The application is refused from then on, and the access that users gave it ends. This cannot be undone.',
      action: `${keyPath(key)}/delete`,
      label: 'Delete the key',
      backHref: keyPath(key),
    };
    this.pages.show(response, 'admin/confirm', model, { policy: READER_POLICY });
  }

  @Post(':id/permissions')
  @UseGuards(CsrfGuard)
  async permit(
    @Param('id') id: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const key = await this.find(id);
    const permissions = permissionsIn(request.body);
    if (permissions.length === 0) {
      const errors = formErrorsOf(new ValidationFailedError([NO_PERMISSION]));
      this.showKey(request, response, key, errors);
      return;
    }
    await this.keys.update(key.id, { permissions });
    goTo(response, `${keyPath(key)}?done=permissions`);
  }

  @Post(':id/:verb')
  @UseGuards(CsrfGuard)
  async change(
    @Param() { id = '', verb = '' }: Readonly<Partial<Record<'id' | 'verb', string>>>,
    @Res() response: Response,
  ): Promise<void> {
    if (verb !== 'disable' && verb !== 'enable' && verb !== 'delete') {
      throw new NotFoundException();
    }
    const key = await this.find(id);
    await this.keys[verb](key.id);
    goTo(response, `${verb === 'delete' ? '/admin/keys' : keyPath(key)}?done=${verb}d`);
  }

  /** @throws ConsumerKeyNotFoundError if no key has the id, or if the id is malformed. */
  private find(id: string): Promise<ConsumerKey> {
    if (!isId(id)) {
      throw new ConsumerKeyNotFoundError('with this number');
    }
    return this.keys.findById(id);
  }

  private async showKeys(
    request: Request,
    response: Response,
    errors: readonly FormError[] = [],
  ): Promise<void> {
    const model = {
      csrfToken: csrfTokenOf(request),
      notice: adminNotice(textOf(request.query, 'done')),
      errors,
      name: textOf(request.body, 'name'),
      keys: (await this.keys.list()).map(keyCard),
      permissions: permissionChoices(
        errors.length === 0 ? ALL_PERMISSIONS : permissionsIn(request.body),
        namedPermission,
      ),
    };
    const status = errors.length === 0 ? 200 : 400;
    this.pages.show(response, 'admin/keys', model, { status, policy: READER_POLICY });
  }

  private showKey(
    request: Request,
    response: Response,
    key: ConsumerKey,
    errors: readonly FormError[] = [],
  ): void {
    const model = {
      csrfToken: csrfTokenOf(request),
      notice: adminNotice(textOf(request.query, 'done')),
      errors,
      name: key.name,
      facts: keyFacts(key),
      created: momentOf(key.createdAt),
      permissions: permissionChoices(key.permissions, namedPermission),
      permissionsAction: `${keyPath(key)}/permissions`,
      actions: keyActions(key),
      deleteHref: `${keyPath(key)}/delete`,
    };
    const status = errors.length === 0 ? 200 : 400;
    this.pages.show(response, 'admin/key', model, { status, policy: READER_POLICY });
  }
}

/** Returns the name and the permissions of a new key, or the problems with them. */
function newKeyIn(body: unknown): { name: string; permissions: Permission[] } | Problem[] {
  const name = keyName(textOf(body, 'name'));
  const permissions = permissionsIn(body);
  const problems = [
    ...(name === undefined
      ? [fieldProblem('name', 'must have 1 to 200 characters, at least one of them visible')]
      : []),
    ...(permissions.length === 0 ? [NO_PERMISSION] : []),
  ];
  return name === undefined || problems.length > 0 ? problems : { name, permissions };
}
