import { Controller, Get, NotFoundException, Param, Res } from '@nestjs/common';
import type { Response } from 'express';

import { Public } from '../../common/http/public.js';
import { Describes } from '../../common/openapi/operation.js';
import { type AskedImage, ImagesService } from '../images/images.service.js';
import { IMAGE_CACHING, IMAGE_OPERATION } from './images.operation.js';

const PAGE_ID = /^\d{1,18}$/;
const NUMBER = /^[1-9]\d{0,2}$/;
const SIGNATURE = /^[\w-]{32}$/;

/** Pictures for e-readers, which ask for them without credentials: the address itself is the proof. */
@Public()
@Controller()
export class ImagesController {
  constructor(private readonly images: ImagesService) {}

  @Get('images/:page/:image/:signature')
  @Describes(IMAGE_OPERATION)
  async show(
    @Param() parameters: Readonly<Record<'page' | 'image' | 'signature', string>>,
    @Res() response: Response,
  ): Promise<void> {
    const asked = askedImage(parameters);
    const image = asked && (await this.images.find(asked));
    if (image === undefined) {
      throw new NotFoundException();
    }
    response.set({ 'Content-Type': image.type, 'Cache-Control': IMAGE_CACHING });
    response.end(image.bytes);
  }
}

function askedImage({
  page,
  image,
  signature,
}: Readonly<Record<'page' | 'image' | 'signature', string>>): AskedImage | undefined {
  return PAGE_ID.test(page) && NUMBER.test(image) && SIGNATURE.test(signature)
    ? { pageId: page, number: Number(image), signature }
    : undefined;
}
