import type { MenuItem } from './permission.ts'

/** What a page's place in the menu decides. */
type PlaceFields = 'name' | 'path' | 'component' | 'parent' | 'title' | 'sort'

/**
 * The pages of one menu group: address, component key, parent and title follow from the page's name.
 * @param group name of the group the pages are in
 * @param texts namespace with the titles (`menu.<name>`)
 * @param path address of the group without leading slash, where it is not the group's name
 */
export function pagesIn(group: string, texts: string, path = group) {
  return (name: string, sort: number): Pick<MenuItem, PlaceFields> & { visible: 0 } => ({
    name,
    path: `/${path}/${name}`,
    component: `${path}/${name}`,
    parent: group,
    title: `${texts}:menu.${name}`,
    visible: 0,
    sort,
  })
}
