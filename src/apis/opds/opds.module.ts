import { Module } from '@nestjs/common';

import { ArticlesModule } from '../../articles/articles.module.js';
import { AuthModule } from '../../auth/auth.module.js';
import { ConsumersModule } from '../../auth/consumers/consumers.module.js';
import { ReadingListModule } from '../../reading-list/reading-list.module.js';
import { OpdsBooksController } from './books.controller.js';
import { MarksController } from './marks.controller.js';
import { OpdsController } from './opds.controller.js';
import { ShelfReader } from './shelf-reader.js';

/** Serves the reading list as a catalogue of books for e-readers (docs/use/opds.md). */
@Module({
  imports: [ArticlesModule, AuthModule, ConsumersModule, ReadingListModule],
  // OpdsController must be last, because its route `:shelf` matches every name.
  controllers: [OpdsBooksController, MarksController, OpdsController],
  providers: [ShelfReader],
})
export class OpdsModule {}
