import { Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';

import { Page } from '../../page.js';
import { Pages } from '../../pages.js';
import { type ShownPage, Template } from '../../template.js';
import { Visitors } from '../../visitors.js';
import {
  type AppearanceChoice,
  appearanceChoices,
  Appearances,
  SAMPLE_ARTICLE,
} from '../appearance/appearance.js';

interface SampleModel {
  /** The value of the form field `item`, which names the page to open after the form was sent. */
  readonly item: string;
  /** The appearance settings. Undefined if the visitor is not logged in. */
  readonly choices: readonly AppearanceChoice[] | undefined;
}

const samplePage = new Template<SampleModel>('reader/welcome/sample-article', { kind: 'reader' });

/**
 * Shows a sample article that explains the reader. It is a page and not an item, so no list, export, feed or search
 * contains it. Visitors who are not logged in see it without the controls that need an account.
 */
@Page('welcome', { for: 'everyone' })
export class SampleArticleController {
  constructor(
    private readonly visitors: Visitors,
    private readonly appearances: Appearances,
    private readonly pages: Pages,
  ) {}

  @Get()
  async show(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ShownPage> {
    const user = await this.visitors.find(request);
    if (user === undefined) {
      return samplePage.page({ item: SAMPLE_ARTICLE, choices: undefined });
    }
    const appearance = await this.appearances.of(user.id);
    this.pages.dress(response, appearance);
    return samplePage.page({ item: SAMPLE_ARTICLE, choices: appearanceChoices(appearance) });
  }
}
