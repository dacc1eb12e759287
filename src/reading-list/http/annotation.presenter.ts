import type { AnnotationRow } from '../list/annotation-list.js';
import { wireDate } from './wire-date.js';

/** A passage that the user has marked. */
export type WireAnnotation = AnnotationRow;

export const presentAnnotation = (row: AnnotationRow): WireAnnotation => ({
  ...row,
  created_at: wireDate(new Date(Number(row.created_at) * 1000)),
});
