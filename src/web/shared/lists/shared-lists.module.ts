import { Module } from '@nestjs/common';

import { AuthModule } from '../../../auth/auth.module.js';
import { ReadingListModule } from '../../../reading-list/reading-list.module.js';
import { PagesModule } from '../../pages.module.js';
import { SharedListController } from './shared-list.controller.js';
import { SharedLists } from './shared-lists.js';

/** Shows the public pages of lists to visitors without an account. */
@Module({
  imports: [AuthModule, PagesModule, ReadingListModule],
  controllers: [SharedListController],
  providers: [SharedLists],
})
export class SharedListsModule {}
