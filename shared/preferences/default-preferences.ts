/** What counts while nothing was chosen (specification, section 9). Apart from the sets: the first picture needs no more. */
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
