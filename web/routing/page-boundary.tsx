import { Component, type ReactNode } from 'react';
import type { PageLocation } from './page-location.ts';

type Props = { location: PageLocation; fallback: ReactNode; children: ReactNode };
type State = { location: PageLocation; isBroken: boolean };

/** Shows `fallback` in place of what broke while it was rendered, until another page is gone to. */
export class PageBoundary extends Component<Props, State> {
  override state: State = { location: this.props.location, isBroken: false };

  static getDerivedStateFromError(): Partial<State> {
    return { isBroken: true };
  }

  static getDerivedStateFromProps({ location }: Props, state: State): State {
    return state.location === location ? state : { location, isBroken: false };
  }

  override render(): ReactNode {
    return this.state.isBroken ? this.props.fallback : this.props.children;
  }
}
