/** The default preferences. Apart from the sets, because the first paint needs only these. */
export const DEFAULT_PREFERENCES = {
  size: 'medium',
  theme: '#1890ff',
  mode: 'system',
  motion: true,
  singleKeys: true,
  sounds: {},
  tagsView: true,
  fixedHeader: false,
  sidebarLogo: false,
  pinyinSearch: true,
  favourites: [],
} as const satisfies Record<string, unknown>
