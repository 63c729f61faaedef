import type { DetailRoute, LoadScreen } from '#client/base/feature.ts'

export const screens: Record<string, LoadScreen> = {
  'system/user': () => import('./users/UsersScreen.tsx'),
  'system/role': () => import('./roles/RolesScreen.tsx'),
  'system/operate_record': () => import('./operate-log/OperateLogScreen.tsx'),
  'system/role_edit': () => import('./roles/RoleEditScreen.tsx'),
}

export const details: Record<string, DetailRoute> = {}
