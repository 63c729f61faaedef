/** One role: its fields on the left, its permission tree on the right. */
import { useText } from '#client/base/use-text.ts'
import { Button, Callout } from '@blueprintjs/core'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { useWatch as useValue } from 'react-hook-form'
import { useConnection } from '#client/live/use-connection.ts'
import { showMessage } from '#client/session/messages.ts'
import { usePermission } from '#client/session/page.tsx'
import { useSend } from '#client/session/query.ts'
import { freshRowOf } from '#client/ui/form/conflict.ts'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { ConflictPane } from '#client/ui/form/ConflictPane.tsx'
import { SelectField, TextField } from '#client/ui/form/fields.tsx'
import { FormBody } from '#client/ui/form/FormBody.tsx'
import { useSchemaForm } from '#client/ui/form/use-schema-form.ts'
import { DATA_SCOPES } from '#shared/kernel/permission.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { ADMINISTRATOR } from '#shared/session/roles.ts'
import {
  buttonsWithoutMenu,
  KEPT_BY_ADMINISTRATORS,
  KEPT_BY_ALL,
  type PermissionNode,
  tickAll,
  toGrant,
  toggle,
  toTicks,
} from '#shared/access/permission-tree.ts'
import { type roleDetail, saveRole } from '#shared/access/roles-api.ts'
import { roleWord } from '../role-words.ts'
import { PermissionTree } from './PermissionTree.tsx'

type Role = DataOf<typeof roleDetail>
type Values = InputOf<typeof saveRole> & { ticks: string[] }

const OMIT = ['roleId', 'version', 'menuIds', 'buttons', 'linkage'] as const
const sorted = (ticks: Iterable<string>) => [...ticks].toSorted()

interface RoleEditorProps {
  /** Null = a new role. */
  role: Role | null
  tree: readonly PermissionNode[]
  /** The server has a newer version than the one shown. */
  isOvertaken: boolean
  word: (title: string, otherwise: string) => string
  /** Null: a new role that is pending approval. */
  onSaved: (roleId: string | null) => void
  /** Nothing was edited yet, so the newer version may replace it. */
  onRenew: () => void
}

export function RoleEditor({
  role,
  tree,
  isOvertaken,
  word,
  onSaved,
  onRenew,
}: RoleEditorProps): ReactNode {
  const t = useText('access')
  const { reason: offline } = useConnection()
  // one call saves all three
  const mayAdd = usePermission(['role:add'])
  const mayEdit = usePermission(['role:edit'])
  const maySwitch = usePermission(['role:status'])
  const send = useSend(saveRole, { quiet: true })
  const [linked, setLinked] = useState(true)
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const [search, setSearch] = useState('')
  const [confirming, setConfirming] = useState(false)
  const kept = role?.uniqueMark === ADMINISTRATOR ? KEPT_BY_ADMINISTRATORS : KEPT_BY_ALL
  const saved = useMemo(
    () => toTicks(tree, role?.checkedMenuIds ?? ['M_home_page'], role?.checkedButtons ?? {}),
    [tree, role],
  )
  const readOnly = role === null ? !mayAdd : !mayEdit
  const form = useSchemaForm<Values>({
    schema: saveRole.input,
    omit: OMIT,
    values: {
      ...(role === null ? {} : { roleId: role.roleId, version: role.version }),
      name: role?.name ?? '',
      uniqueMark: role?.uniqueMark ?? '',
      status: role?.status ?? 'enabled',
      dataScope: role?.dataScope ?? 'own',
      menuIds: [],
      buttons: {},
      linkage: true,
      ticks: sorted(saved),
    },
    async onSubmit() {
      const { ticks, ...values } = form.form.getValues()
      try {
        const { roleId, approvalId } = await send.mutateAsync({
          ...values,
          ...toGrant(tree, new Set(ticks)),
          linkage: linked,
        })
        void showMessage({
          intent: 'success',
          message: approvalId === null ? t('role.saved') : t('role.asked', { approvalId }),
          key: 'role',
        })
        onSaved(roleId)
      } catch (error) {
        // the tree of the newer version; the form's own values are kept by the form
        const theirs = freshRowOf(error) as (Record<string, unknown> & Role) | null
        if (theirs)
          (theirs as Record<string, unknown>).ticks = sorted(
            toTicks(tree, theirs.checkedMenuIds, theirs.checkedButtons),
          )
        throw error
      }
    },
  })
  const list = useValue({ control: form.form.control, name: 'ticks' })
  const ticks = useMemo(() => new Set(list), [list])
  const orphans = buttonsWithoutMenu(ticks)
  const put = (next: Iterable<string>) =>
    form.form.setValue('ticks', sorted(next), { shouldDirty: true })
  const canRenew = isOvertaken && !form.isDirty
  useEffect(() => {
    if (canRenew) onRenew()
  }, [canRenew, onRenew])

  const titles = useMemo(() => titlesOf(tree, word), [tree, word])
  const added = sorted(ticks).filter((tick) => !saved.has(tick))
  const removed = sorted(saved).filter((tick) => !ticks.has(tick))
  const onlyHome = sorted(ticks).every((tick) => kept.has(tick)) && role === null
  const refused =
    offline ||
    (readOnly && !maySwitch ? t('role.readOnly') : null) ||
    (orphans.length > 0
      ? t('role.orphans', { list: orphans.map((tick) => titles.get(tick) ?? tick).join(', ') })
      : null) ||
    (onlyHome ? t('role.nothingTicked') : null)
  // people who hold the role are affected at once, so it is confirmed; a new role has no holders
  const confirmedForm = {
    ...form,
    submit: async () =>
      (await form.form.trigger()) && role !== null ? setConfirming(true) : form.submit(),
  }
  return (
    <>
      <FormBody form={confirmedForm} submitText={t('role.save')} submitRefused={refused}>
        <div className="role-edit">
          <section className="role-facts" aria-label={t('role.facts')}>
            {isOvertaken && <Callout intent="warning">{t('role.overtaken')}</Callout>}
            <ConflictPane
              form={form}
              fields={[
                { name: 'name', label: t('role.col.name') },
                {
                  name: 'status',
                  label: t('role.col.status'),
                  text: (status) => t(`status.${String(status)}`),
                },
                {
                  name: 'dataScope',
                  label: t('role.col.dataScope'),
                  text: (scope) => t(`scope.${String(scope)}`),
                },
                {
                  name: 'ticks',
                  label: t('role.tree'),
                  text: (ticked) => t('role.ticked', { n: (ticked as string[]).length }),
                },
              ]}
            />
            <TextField
              name="name"
              label={t('role.col.name')}
              maxLength={40}
              disabled={readOnly}
              {...(role?.builtIn ? { help: roleWord(t, role.uniqueMark, role.name) } : {})}
            />
            <TextField
              name="uniqueMark"
              label={t('role.col.uniqueMark')}
              maxLength={40}
              disabled={role !== null}
              help={t(role === null ? 'role.markHelp' : 'fault.markFixed')}
            />
            <SelectField
              name="status"
              label={t('role.col.status')}
              disabled={role !== null && (!maySwitch || role.uniqueMark === ADMINISTRATOR)}
              options={(['enabled', 'disabled'] as const).map((value) => ({
                value,
                label: t(`status.${value}`),
              }))}
            />
            <SelectField
              name="dataScope"
              label={t('role.col.dataScope')}
              disabled={readOnly || role?.uniqueMark === ADMINISTRATOR}
              options={DATA_SCOPES.map((value) => ({ value, label: t(`scope.${value}`) }))}
              help={t('role.scopeHelp')}
            />
            {role !== null && (
              <p className="access-hint">{t('role.usersHit', { count: role.userCount })}</p>
            )}
            <h2>{t('role.difference')}</h2>
            {added.length + removed.length === 0 ? (
              <p className="role-same">{t('role.noDifference')}</p>
            ) : (
              <ul className="role-difference">
                {added.map((tick) => (
                  <li key={tick} className="is-added">
                    <span aria-label={t('role.added')}>+</span> {titles.get(tick) ?? tick}
                  </li>
                ))}
                {removed.map((tick) => (
                  <li key={tick} className="is-removed">
                    <span aria-label={t('role.removed')}>−</span> {titles.get(tick) ?? tick}
                  </li>
                ))}
              </ul>
            )}
          </section>
          <section className="role-tree" aria-label={t('role.tree')}>
            <div className="role-tools">
              <Button
                icon="tick"
                text={t('role.selectAll')}
                disabled={readOnly}
                onClick={() => put(tickAll(tree))}
              />
              <Button
                icon="cross"
                text={t('role.clear')}
                disabled={readOnly}
                onClick={() => put(kept)}
              />
              <Button
                icon="chevron-down"
                text={t('role.expand')}
                onClick={() => setFolded(new Set())}
              />
              <Button
                icon="chevron-right"
                text={t('role.fold')}
                onClick={() => setFolded(new Set(groupsOf(tree)))}
              />
              <label className="check">
                <input
                  type="checkbox"
                  role="switch"
                  checked={linked}
                  onChange={(event) => setLinked(event.target.checked)}
                />
                {t('role.linkage')}
              </label>
              <input
                className="bp6-input role-search"
                type="search"
                value={search}
                placeholder={t('role.search')}
                aria-label={t('role.search')}
                onChange={(event) => setSearch(event.target.value)}
              />
            </div>
            <PermissionTree
              tree={tree}
              ticks={ticks}
              kept={kept}
              saved={saved}
              folded={folded}
              search={search}
              readOnly={readOnly}
              word={word}
              onToggle={(tick) => put(toggle(tree, ticks, tick, linked, kept))}
              onFold={(menu) =>
                setFolded((now) =>
                  now.has(menu)
                    ? new Set([...now].filter((one) => one !== menu))
                    : new Set(now).add(menu),
                )
              }
            />
          </section>
        </div>
      </FormBody>
      <ConfirmAction
        isOpen={confirming}
        intent="primary"
        title={t('role.askSave', {
          name: role === null ? '' : roleWord(t, role.uniqueMark, role.name),
        })}
        confirmText={t('role.save')}
        onConfirm={() => form.submit()}
        onClose={() => setConfirming(false)}
      >
        <p>{t('role.saveMeans', { count: role?.userCount ?? 0 })}</p>
        {form.form.getValues('status') === 'disabled' && role?.status === 'enabled' && (
          <p>{t('role.disableMeans')}</p>
        )}
      </ConfirmAction>
    </>
  )
}

function groupsOf(nodes: readonly PermissionNode[]): string[] {
  return nodes.flatMap((node) =>
    node.children.length > 0 ? [node.name, ...groupsOf(node.children)] : [],
  )
}

/** Permission → label: a menu's title, or a button's with its menu in front. */
function titlesOf(
  nodes: readonly PermissionNode[],
  word: RoleEditorProps['word'],
  found = new Map<string, string>(),
): Map<string, string> {
  for (const node of nodes) {
    const title = word(node.title, node.name)
    found.set(node.name, title)
    for (const { code, title: key } of node.buttons)
      found.set(`${node.name}:${code}`, `${title} · ${word(key, code)}`)
    titlesOf(node.children, word, found)
  }
  return found
}
