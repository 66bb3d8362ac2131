export const programs = ['etcd', 'kube-apiserver', 'kube-controller-manager'] as const;

export type Program = (typeof programs)[number];

/** The programs that are obtained in the same way. kubectl is not part of a control plane, but a client of one. */
export type Obtainable = Program | 'kubectl';
