export const programs = ['etcd', 'kube-apiserver', 'kube-controller-manager'] as const;

export type Program = (typeof programs)[number];

/** What can be had in the same way. kubectl is no part of a control plane: it is for those who work with one. */
export type Obtainable = Program | 'kubectl';
