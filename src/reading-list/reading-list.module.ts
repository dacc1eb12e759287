import { Module } from '@nestjs/common';

import { ConsumersModule } from '../auth/consumers/consumers.module.js';
import { provideRepository } from '../platform/database/custom-repository.js';
import { AddController } from './add/add.controller.js';
import { AddService } from './add/add.service.js';
import { DeletedItemRepository } from './deletions/deleted-item.repository.js';
import { DeletionsService } from './deletions/deletions.service.js';
import { Trash } from './deletions/trash.service.js';
import { ItemDetailsRepository } from './details/item-details.repository.js';
import { DuplicateRepository } from './duplicates/duplicate.repository.js';
import { Duplicates } from './duplicates/duplicates.service.js';
import { FindDuplicates } from './duplicates/find-duplicates.service.js';
import { AnnotationEdits } from './edits/annotation-edits.service.js';
import { ItemEdits } from './edits/item-edits.service.js';
import { GetController } from './get/get.controller.js';
import { GetService } from './get/get.service.js';
import { ListReader } from './get/list-reader.js';
import { PageCursorRepository } from './get/page-cursor.repository.js';
import { PageCursors } from './get/page-cursors.js';
import { ResponseCache } from './get/response-cache.js';
import { GuidController } from './guid/guid.controller.js';
import { AnnotationRepository } from './list/annotation.repository.js';
import { ItemRepository } from './list/item.repository.js';
import { ListRepository } from './list/list.repository.js';
import { ReadingPositionRepository } from './list/reading-position.repository.js';
import { TagRepository } from './list/tag.repository.js';
import { TombstoneRepository } from './list/tombstone.repository.js';
import { ListTransactions } from './list-transactions.js';
import { ListRuleRepository } from './rules/list-rule.repository.js';
import { ListRules } from './rules/list-rules.service.js';
import { RuleHandler } from './rules/rule-handler.js';
import { RuleRuns } from './rules/rule-runs.service.js';
import { RuleTexts } from './rules/rule-texts.js';
import { ListDigestRepository } from './saved-lists/list-digest.repository.js';
import { PublicListRepository } from './saved-lists/public-list.repository.js';
import { PublicLists } from './saved-lists/public-lists.service.js';
import { SavedListRepository } from './saved-lists/saved-list.repository.js';
import { SavedLists } from './saved-lists/saved-lists.service.js';
import { SendController } from './send/send.controller.js';
import { SendService } from './send/send.service.js';
import { ShareTokens } from './sharing/share-tokens.js';
import { SharedItemRepository } from './sharing/shared-item.repository.js';
import { Sharing } from './sharing/sharing.service.js';
import { SnapshotController } from './snapshots/snapshot.controller.js';
import { SnapshotRepository } from './snapshots/snapshot.repository.js';
import { Snapshots } from './snapshots/snapshots.service.js';
import { StatsController } from './stats/stats.controller.js';
import { StorageUsage } from './storage/storage-usage.service.js';
import { SuggestionsController } from './suggestions/suggestions.controller.js';
import { SuggestionsService } from './suggestions/suggestions.service.js';
import { TagColorRepository } from './tag-colors/tag-color.repository.js';
import { TagColors } from './tag-colors/tag-colors.service.js';
import { TagMoveRepository } from './tag-moves/tag-move.repository.js';
import { TagMoveSweep } from './tag-moves/tag-move-sweep.js';
import { DueTextRepository } from './texts/due-text.repository.js';
import { ItemTextRepository } from './texts/item-text.repository.js';
import { Passages } from './texts/passages.service.js';
import { TextIndexer } from './texts/text-indexer.js';
import { TombstoneSweep } from './tombstone-sweep.js';

/** Provides the reading lists of users, and the v3 endpoints that read and change them. */
@Module({
  imports: [ConsumersModule],
  controllers: [
    GetController,
    AddController,
    SendController,
    StatsController,
    SuggestionsController,
    GuidController,
    SnapshotController,
  ],
  providers: [
    provideRepository(ListRepository),
    provideRepository(ItemRepository),
    provideRepository(TagRepository),
    provideRepository(TagMoveRepository),
    provideRepository(TagColorRepository),
    TagColors,
    provideRepository(TombstoneRepository),
    provideRepository(AnnotationRepository),
    provideRepository(ReadingPositionRepository),
    provideRepository(ItemDetailsRepository),
    provideRepository(DeletedItemRepository),
    provideRepository(SavedListRepository),
    provideRepository(PublicListRepository),
    provideRepository(ListRuleRepository),
    ListRules,
    RuleRuns,
    RuleTexts,
    RuleHandler,
    provideRepository(ListDigestRepository),
    SavedLists,
    provideRepository(SharedItemRepository),
    PublicLists,
    GetService,
    ListReader,
    ResponseCache,
    PageCursors,
    provideRepository(PageCursorRepository),
    AddService,
    SendService,
    SuggestionsService,
    DeletionsService,
    Trash,
    ListTransactions,
    TombstoneSweep,
    TagMoveSweep,
    provideRepository(ItemTextRepository),
    provideRepository(DueTextRepository),
    TextIndexer,
    Passages,
    StorageUsage,
    AnnotationEdits,
    ItemEdits,
    provideRepository(DuplicateRepository),
    Duplicates,
    FindDuplicates,
    ShareTokens,
    Sharing,
    provideRepository(SnapshotRepository),
    Snapshots,
  ],
  exports: [
    ListTransactions,
    SavedLists,
    ListRules,
    RuleRuns,
    PublicLists,
    ListDigestRepository,
    SavedListRepository,
    ListReader,
    PageCursors,
    AddService,
    SendService,
    DeletionsService,
    Trash,
    SuggestionsService,
    ItemRepository,
    TagRepository,
    TagColors,
    TombstoneRepository,
    AnnotationRepository,
    ReadingPositionRepository,
    ItemDetailsRepository,
    DueTextRepository,
    Passages,
    TextIndexer,
    StorageUsage,
    AnnotationEdits,
    ItemEdits,
    Duplicates,
    FindDuplicates,
    Sharing,
    Snapshots,
  ],
})
export class ReadingListModule {}
