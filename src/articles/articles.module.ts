import { Module } from '@nestjs/common';

import { ArticlesService } from './articles.service.js';
import { ArticlesController } from './http/articles.controller.js';
import { ImagesController } from './http/images.controller.js';
import { ImageAddresses } from './images/image-addresses.js';
import { ImageCache } from './images/image-cache.js';
import { ImagesService } from './images/images.service.js';

/** What the pages behind saved URLs say, for readers that show nothing else: the text, and its pictures. */
@Module({
  controllers: [ArticlesController, ImagesController],
  providers: [ArticlesService, ImageAddresses, ImageCache, ImagesService],
})
export class ArticlesModule {}
