import { Component, type ReactNode } from 'react';
import { Problem } from './notice.tsx';

interface BoundaryProps {
  /** Where the person is. */
  readonly at: string;
  readonly children: ReactNode;
}

/** A page that breaks says so; whoever goes elsewhere sees the page that is there. */
export class PageBoundary extends Component<BoundaryProps, { readonly error?: unknown }> {
  override state: { readonly error?: unknown } = {};

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error };
  }

  override componentDidUpdate({ at }: BoundaryProps): void {
    if (at !== this.props.at && this.state.error !== undefined) this.setState({ error: undefined });
  }

  override render(): ReactNode {
    return this.state.error !== undefined ? <Problem error={this.state.error} /> : this.props.children;
  }
}
