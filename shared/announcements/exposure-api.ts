import Type from 'typebox'
import { endpoint, Id } from '#shared/kernel/endpoint.ts'

export const announcementExposure = endpoint({
  method: 'GET',
  path: '/notice/exposure',
  access: ['notice_list:view'],
  menu: 'notice_list',
  input: Type.Object({ noticeId: Id() }),
  data: Type.Object({
    rows: Type.Array(
      Type.Object({
        /** Mark and name of the role. */
        role: Type.String(),
        name: Type.String(),
        /** Accounts it was shown to, and accounts that work now. */
        shown: Type.Integer(),
        accounts: Type.Integer(),
      }),
    ),
  }),
  summary: 'To how many accounts of each role an announcement was shown',
})
