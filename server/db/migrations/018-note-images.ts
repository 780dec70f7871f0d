// Pictures of notes: which strategy shows which, and since when nobody shows one.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('files').addColumn('unused_since', 'text').execute()
  await db.schema
    .createTable('note_images')
    .addColumn('strategy_id', 'text', (c) => c.notNull().references('strategies.id').onDelete('cascade'))
    .addColumn('image_id', 'text', (c) =>
      c.notNull().references('files.name').onDelete('cascade').onUpdate('cascade'),
    )
    .addPrimaryKeyConstraint('note_images_pk', ['strategy_id', 'image_id'])
    .execute()
  await db.schema.createIndex('note_images_image').on('note_images').column('image_id').execute()
}
