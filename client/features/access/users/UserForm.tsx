import { useText } from '#client/base/use-text.ts'
import { type ReactNode, useEffect } from 'react'
import { useWatch as useValue } from 'react-hook-form'
import { useSaveForm } from '#client/screen/use-save-form.ts'
import { useSend } from '#client/session/query.ts'
import { useSession } from '#client/session/session-store.ts'
import { ConflictPane } from '#client/ui/form/ConflictPane.tsx'
import { SelectField, SwitchField, TextField } from '#client/ui/form/fields.tsx'
import { FormDrawer } from '#client/ui/form/FormDrawer.tsx'
import type { SchemaForm } from '#client/ui/form/use-schema-form.ts'
import { COLLECTOR_ROLES } from '#shared/collection/setup-api.ts'
import type { collectionTree } from '#shared/collection/tree-api.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { LANGUAGE_NAMES, LANGUAGES } from '#shared/kernel/languages.ts'
import { isPassword } from '#shared/session/password-rule.ts'
import type { listRoles } from '#shared/access/roles-api.ts'
import { addUser, editUser } from '#shared/access/users-api.ts'
import { roleWord } from '../role-words.ts'
import type { User } from './user-types.ts'

type Tree = DataOf<typeof collectionTree>
type Role = DataOf<typeof listRoles>['rows'][number]
type Values = InputOf<typeof editUser> & {
  account: string
  password: string
  status: 'enabled' | 'disabled'
}
const NEW_OMIT = ['userId', 'version'] as const
const EDIT_OMIT = ['userId', 'version', 'account', 'password', 'status'] as const

export function UserForm({
  user,
  tree,
  roles,
  onDone,
  onClose,
}: {
  user: User | null
  tree: Tree | undefined
  roles: readonly Role[]
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('access')
  const { user: me } = useSession()
  const add = useSend(addUser, { quiet: true })
  const edit = useSend(editUser, { quiet: true })
  const roleOf = (roleId: string) => roles.find((one) => one.roleId === roleId)
  const isOwn = user?.userId === me.userId
  const { form, frame } = useSaveForm<Values>({
    schema: user === null ? addUser.input : editUser.input,
    omit: user === null ? NEW_OMIT : EDIT_OMIT,
    values: {
      userId: user?.userId ?? '',
      version: user?.version ?? 1,
      account: '',
      password: '',
      status: 'enabled',
      nickname: user?.nickname ?? '',
      userName: user?.userName ?? '',
      email: user?.email ?? '',
      roleId: user?.roleId ?? '',
      language: user?.language ?? 'en',
      jobNumber: user?.jobNumber ?? '',
      agencyId: user?.agencyId ?? '',
      departmentId: user?.departmentId ?? '',
      groupId: user?.groupId ?? '',
      allocationFlag: user?.allocationFlag ?? true,
    },
    // the role decides which parts of the unit are required
    alsoRequired: (values) => unitsNeeded(roleOf(values.roleId), tree),
    check: (values) =>
      user === null && !isPassword(values.password)
        ? { password: { key: 'access:fault.password', params: {} } }
        : null,
    // an edit uses the version the form is based on now, which moves forward after a conflict
    onSubmit: (values) => (user === null ? add.mutateAsync(values) : edit.mutateAsync(values)),
    saved: t('user.saved'),
    onDone,
    onClose,
  })
  const roleId = useValue({ control: form.form.control, name: 'roleId' })
  const role = roleOf(roleId)
  const nameOf = (list: readonly { id: string; name: string }[] | undefined) => (id: unknown) =>
    list?.find((one) => one.id === id)?.name ?? String(id)
  return (
    <FormDrawer
      {...frame}
      width={540}
      title={user === null ? t('user.add') : t('user.editTitle', { name: user.userName })}
      submitText={t('user.save')}
    >
      <ConflictPane
        form={form}
        fields={[
          { name: 'nickname', label: t('user.col.nickname') },
          { name: 'userName', label: t('user.col.userName') },
          { name: 'email', label: t('user.col.email') },
          {
            name: 'roleId',
            label: t('user.col.role'),
            text: (id) =>
              roles
                .filter((one) => one.roleId === id)
                .map((one) => roleWord(t, one.uniqueMark, one.name))[0] ?? String(id),
          },
          {
            name: 'language',
            label: t('user.col.language'),
            text: (code) => LANGUAGE_NAMES[code as keyof typeof LANGUAGE_NAMES],
          },
          { name: 'jobNumber', label: t('user.col.jobNumber') },
          { name: 'agencyId', label: t('user.col.agencyName'), text: nameOf(tree?.agencies) },
          {
            name: 'departmentId',
            label: t('user.col.departmentName'),
            text: nameOf(tree?.departments),
          },
          { name: 'groupId', label: t('user.col.groupName'), text: nameOf(tree?.groups) },
          {
            name: 'allocationFlag',
            label: t('user.col.allocationFlag'),
            text: (on) => t(on ? 'ui:yes' : 'ui:no'),
          },
        ]}
      />
      {user === null && (
        <TextField
          name="account"
          label={t('user.col.account')}
          maxLength={32}
          help={t('user.accountHelp')}
        />
      )}
      {user === null && (
        <TextField
          name="password"
          label={t('user.password')}
          type="password"
          autoComplete="new-password"
          maxLength={20}
          help={t('user.passwordHelp')}
        />
      )}
      <TextField name="nickname" label={t('user.col.nickname')} maxLength={50} />
      <TextField
        name="userName"
        label={t('user.col.userName')}
        maxLength={64}
        help={t('user.userNameHelp')}
      />
      <SelectField
        name="roleId"
        label={t('user.col.role')}
        disabled={isOwn}
        options={roles.map((one) => ({
          value: one.roleId,
          label: roleWord(t, one.uniqueMark, one.name),
          disabled: one.status === 'disabled',
        }))}
        {...(isOwn ? { help: t('user.notYourself') } : {})}
      />
      {user === null && (
        <SelectField
          name="status"
          label={t('user.col.status')}
          options={(['enabled', 'disabled'] as const).map((value) => ({
            value,
            label: t(`status.${value}`),
          }))}
        />
      )}
      <UnitFields form={form} tree={tree} />
      <SwitchField
        name="allocationFlag"
        label={t('user.col.allocationFlag')}
        text={t('user.allocationHelp')}
      />
      <SelectField
        name="language"
        label={t('user.col.language')}
        options={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
      />
      <TextField name="email" label={t('user.col.email')} type="email" maxLength={100} />
      <TextField name="jobNumber" label={t('user.col.jobNumber')} maxLength={20} />
      {user === null && role && isCollector(role.uniqueMark) && (
        <p className="access-hint">{t('user.collectorHint')}</p>
      )}
      {user !== null && roleId !== user.roleId && (
        <p className="access-hint is-warning">
          {t(
            isCollector(user.roleMark) && role && !isCollector(role.uniqueMark)
              ? 'user.leavesCollection'
              : 'user.roleHint',
          )}
        </p>
      )}
    </FormDrawer>
  )
}

function isCollector(mark: string): boolean {
  return (COLLECTOR_ROLES as readonly string[]).includes(mark)
}

/**
 * Unit fields the role requires: the unit of its data scope, and a company as soon as one exists.
 */
function unitsNeeded(
  role: Role | undefined,
  tree: Tree | undefined,
): ('agencyId' | 'departmentId' | 'groupId')[] {
  if (role && (isCollector(role.uniqueMark) || role.dataScope === 'group'))
    return ['agencyId', 'departmentId', 'groupId']
  if (role?.dataScope === 'department') return ['agencyId', 'departmentId']
  return role?.dataScope === 'agency' || (tree?.agencies.length ?? 0) > 0 ? ['agencyId'] : []
}

/** Agency, department and group: selecting one clears the levels below that no longer fit. */
function UnitFields({
  form,
  tree,
}: {
  form: SchemaForm<Values>
  tree: Tree | undefined
}): ReactNode {
  const t = useText('access')
  const { control, setValue } = form.form
  const [agencyId, departmentId, groupId] = useValue({
    control,
    name: ['agencyId', 'departmentId', 'groupId'],
  })
  const departments = (tree?.departments ?? []).filter((one) => one.agencyId === agencyId)
  const groups = (tree?.groups ?? []).filter((one) => one.departmentId === departmentId)
  const departmentFits =
    tree === undefined || !departmentId || departments.some((one) => one.id === departmentId)
  const groupFits =
    tree === undefined || !groupId || (departmentFits && groups.some((one) => one.id === groupId))
  useEffect(() => {
    if (!departmentFits) setValue('departmentId', '')
    if (!groupFits) setValue('groupId', '')
  }, [departmentFits, groupFits, setValue])
  const options = (list: readonly { id: string; name: string }[]) =>
    list.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <>
      <SelectField
        name="agencyId"
        label={t('user.col.agencyName')}
        options={options(tree?.agencies ?? [])}
      />
      <SelectField
        name="departmentId"
        label={t('user.col.departmentName')}
        options={options(departments)}
      />
      <SelectField name="groupId" label={t('user.col.groupName')} options={options(groups)} />
    </>
  )
}
