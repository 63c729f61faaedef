import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { avatarPicture, saveAvatar } from '#shared/session/avatar-api.ts'
import { liveRooms, userInfo } from '#shared/session/session-api.ts'
import { PDF, PNG } from '#tests/factories/files.ts'
import { pixelsOf, telephonePhoto } from '#tests/factories/pictures.ts'
import { type Floor, testManage } from '#tests/support/manage.ts'

let floor: Floor
beforeAll(async () => {
  floor = await testManage()
})
afterAll(() => floor.close())

test('a colleague sees the own picture; a new one replaces it, and none is left after removal', async () => {
  const [own, colleague] = await Promise.all([
    floor.signIn('group_leader'),
    floor.signIn('internal_supervisor'),
  ])
  const kept = async () =>
    (
      await sql<{
        size: number
      }>`select o.size from file_object o where o.purpose = 'avatar'`.execute(floor.database.kysely)
    ).rows.length
  const send = async (file: Buffer) => (await own.call(saveAvatar, { avatar: [file] })).avatar ?? ''
  const first = await send(await telephonePhoto({ width: 900, height: 600 }))
  expect((await own.call(userInfo, {})).user.avatar).toBe(first)
  expect((await own.call(liveRooms, {})).avatar).toBe(first)
  const seen = { userId: own.userId, fileId: first }
  const picture = await pixelsOf((await colleague.send(avatarPicture, seen)).rawPayload)
  expect(picture.width).toBe(256)
  const second = await send(PNG)
  expect(await kept()).toBe(1)
  expect(await colleague.refused(avatarPicture, seen)).toMatchObject({ problem: { id: 'G404' } })
  expect(
    await colleague.refused(avatarPicture, { userId: colleague.userId, fileId: second }),
  ).toMatchObject({ problem: { id: 'G404' } })
  expect(await own.refused(saveAvatar, { avatar: [PDF] })).toMatchObject({
    data: { fields: { avatar: 'account:avatar.kind' } },
  })
  expect((await own.call(saveAvatar, {})).avatar).toBeNull()
  expect([await kept(), (await own.call(liveRooms, {})).avatar]).toEqual([0, null])
})
