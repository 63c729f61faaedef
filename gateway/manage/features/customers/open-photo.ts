import { sql } from 'kysely'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { MARKED_MIME, watermarked } from '#gateway/manage/kernel/pictures/watermark.ts'
import { fileBytes, type StoredFile } from '#gateway/manage/kernel/stored-bytes.ts'
import { FileAnswer } from '#gateway/manage/kernel/answer.ts'
import { customerInScope, sectionsOf } from './customer-scope.ts'
import { hasNumber } from './ready-photos.ts'

interface Row extends StoredFile {
  customer_id: string
  kind: string
  account: string
  now: string
}

/**
 * A photo for one viewer: watermarked with account and time, and each view is logged.
 * @throws Problem G404 outside the viewer's scope or sections
 */
export async function openPhoto(tx: CommandTx, photoId: string): Promise<FileAnswer> {
  const actor = staff(tx.actor)
  if (!sectionsOf(actor).has('photos')) throw new Problem(NOT_FOUND)
  const { rows } = await sql<Row>`
    select p.customer_id, p.kind, f.id, f.purpose, f.content, u.account, clock_timestamp() as now
    from customer_photo p
    join customer c on c.id = p.customer_id
    join file_object f on f.id = p.file_id
    join sys_user u on u.id = ${actor.userId}
    where p.id = ${photoId} and ${customerInScope(actor)}`.execute(tx.db)
  const photo = rows[0]
  if (!photo) throw new Problem(NOT_FOUND)
  tx.log({
    action: 'photo',
    targetKind: 'customer',
    targetId: photo.customer_id,
    after: { photoId, kind: photo.kind },
  })
  // demo photos are drawn with a masked number
  const isDrawn = photo.purpose !== 'photo'
  return new FileAnswer(MARKED_MIME, async () =>
    watermarked({
      bytes: await fileBytes(tx.context, photo),
      isDrawn,
      account: photo.account,
      at: photo.now,
      hidesNumber: !isDrawn && hasNumber(photo.kind),
    }),
  )
}
