import { own, type Row } from './case-people-rows.ts';

const stays = (what: string, line: string) => `Interrupted. ${what} stays, and goes on by itself. go on: ${line}`;

/** What waits until it is interrupted, as nobody works on it. */
export const waiting: readonly Pick<Row, 'name' | 'words' | 'cells'>[] = [
  {
    name: 'move',
    words: () => ['move', 'pvc/waits', '--from', 'team-b', ...own],
    cells: {
      others: [
        130,
        stays(
          'StorageTransferRequest team-a/team-b.waits',
          'longshore move pvc/waits --from team-b -n team-a withdraw:',
        ),
      ],
    },
  },
  {
    name: 'approve',
    words: () => ['approve', 'streq/x', ...own, '--for', 'team-b', '--claim', 'db', '--yes', '--wait'],
    cells: { others: [130, stays('StorageTransferApproval team-a/team-b.db', 'longshore approve streq/x -n team-a')] },
  },
  {
    name: 'offer',
    words: () => ['offer', 'pvc/offered-admin', '--to', 'team-b', ...own],
    cells: { others: [130, stays('The offer of claim team-a/offered-admin', 'longshore offer pvc/offered-admin')] },
  },
  {
    name: 'accept',
    words: () => ['accept', 'pvc/c', '--from', 'team-b', ...own, '--to-name', 'got-admin', '--wait'],
    cells: { others: [130, stays('claim team-a/got-admin', 'longshore accept pvc/c --from team-b')] },
  },
  {
    name: 'restore',
    words: () => ['restore', 's', '--from', 'team-b', '--to-name', 'restored', ...own, '--size', '1Gi'],
    cells: { others: [130, stays('claim team-a/restored', 'longshore restore s --from team-b')] },
  },
  {
    name: 'bucket create',
    words: () => ['bucket', 'create', 'waits', '--class', 'standard', ...own, '--wait'],
    cells: { others: [130, stays('Bucket team-a/waits', 'longshore bucket create waits --class standard')] },
  },
];
