import { useState, type ReactNode } from 'react';
import type { LiveSession } from '../session/live-session.ts';
import { RewindContext } from './rewind-context.ts';
import { RewindDialog } from './rewind-dialog.tsx';

/** Lets the messages in it be gone back to while nothing runs. */
export function Rewind({ session: { id, state }, children }: { readonly session: LiveSession; readonly children: ReactNode }): ReactNode {
  const [seq, setSeq] = useState<number>();
  const isBusy = state.turn?.status === 'running';
  return (
    <RewindContext value={isBusy ? undefined : setSeq}>
      {children}
      {seq === undefined ? null : <RewindDialog id={id} seq={seq} onClose={() => setSeq(undefined)} />}
    </RewindContext>
  );
}
