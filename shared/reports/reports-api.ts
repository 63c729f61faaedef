import Type from 'typebox'
import { endpoint } from '#shared/kernel/endpoint.ts'

const named = Type.Array(Type.Object({ id: Type.String(), name: Type.String() }))

export const reportOptions = endpoint({
  method: 'GET',
  path: '/report/options',
  access: ['channel_statistics:view'],
  menu: 'channel_statistics',
  input: Type.Object({}),
  data: Type.Object({ apps: named, channels: named }),
  summary: 'Apps and channels for the filters of reports',
})
