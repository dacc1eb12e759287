import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';

import { isRightToLeft } from '../../lib/util/language-tag.js';
import { Public } from '../../platform/http/public.js';
import { requestLanguage } from '../../platform/http/request-language.js';
import { message } from '../../platform/i18n/message.js';
import { Pages } from '../pages.js';

const iconsOf = (pages: Pages) => [
  { src: pages.at('/pages/icon.svg'), sizes: 'any', type: 'image/svg+xml' },
  { src: pages.at('/pages/icon-192.png'), sizes: '192x192', type: 'image/png' },
  { src: pages.at('/pages/icon-512.png'), sizes: '512x512', type: 'image/png' },
  {
    src: pages.at('/pages/icon-maskable-512.png'),
    sizes: '512x512',
    type: 'image/png',
    purpose: 'maskable',
  },
];

/** Returns the web app manifest, which includes a share target (W3C Web App Manifest, Web Share Target). */
const manifestOf = (pages: Pages, request: Request) => ({
  id: pages.at('/list'),
  name: 'Satchel',
  short_name: 'Satchel',
  lang: requestLanguage(request),
  dir: isRightToLeft(requestLanguage(request)) ? 'rtl' : 'ltr',
  description: pages.text(message('manifest.description'), request),
  start_url: pages.at('/list'),
  scope: pages.at('/'),
  display: 'standalone',
  background_color: '#ffffff',
  theme_color: '#0b5748',
  icons: iconsOf(pages),
  share_target: {
    action: pages.at('/save'),
    method: 'GET',
    enctype: 'application/x-www-form-urlencoded',
    params: { title: 'title', text: 'text', url: 'url' },
  },
  shortcuts: [{ name: pages.text(message('manifest.save'), request), url: pages.at('/save') }],
});

/** Serves the manifest with which phones and desktops install the reader as an app. */
@Public()
@Controller()
export class AppController {
  constructor(private readonly pages: Pages) {}

  @Get('manifest.webmanifest')
  manifest(@Req() request: Request, @Res({ passthrough: true }) response: Response): object {
    response
      .vary('Accept-Language')
      .set('Cache-Control', 'public, max-age=86400')
      .type('application/manifest+json');
    return manifestOf(this.pages, request);
  }
}
