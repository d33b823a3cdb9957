//! The controller of a robot arm: plain code, no library behind it.

/// What the arm is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Phase {
    /// It finds out where its joints are.
    #[default]
    Init,
    /// It looks for an object.
    Scan,
    /// It moves to the object.
    Reach,
    /// It takes hold of the object.
    Grab,
    /// It moves to the bucket.
    Carry,
    /// It lets go of the object.
    Release,
    /// It has stopped.
    Halt,
}

/// What the controller is told, in the order of the specification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Input {
    /// What the arm is about is done; in a halt, somebody says that it may go on.
    pub ready: bool,
    /// The current in a joint says that the arm touches something.
    pub collision: bool,
    /// Somebody wants it to stop.
    pub alarm: bool,
}

/// What it answers beside its phase, in the order of the specification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Output {
    /// What the arm is about.
    pub phase: Phase,
    /// The camera is on.
    pub vision: bool,
    /// The joints move.
    pub moving: bool,
    /// The gripper is closed.
    pub gripper: bool,
    /// The brakes are on.
    pub brake: bool,
}

pub const INPUTS: [&str; 3] = ["ready", "collision", "alarm"];
pub const OUTPUTS: [&str; 11] =
    ["init", "scan", "reach", "grab", "carry", "release", "halt", "vision", "moving", "gripper", "brake"];

impl Output {
    /// The truths in the order of [`OUTPUTS`].
    pub fn bits(self) -> [bool; 11] {
        use Phase::{Carry, Grab, Halt, Init, Reach, Release, Scan};
        let [init, scan, reach, grab, carry, release, halt] =
            [Init, Scan, Reach, Grab, Carry, Release, Halt].map(|phase| phase == self.phase);
        let Output { vision, moving, gripper, brake, .. } = self;
        [init, scan, reach, grab, carry, release, halt, vision, moving, gripper, brake]
    }
}

/// What is wrong with a controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It begins to scan at once.
    SkipsInit,
    /// It does not feel the bucket.
    TouchesBucket,
    /// It lets go of the object when it halts.
    Drops,
    /// It switches the camera off while it reaches for the object.
    Blind,
    /// It carries the object off before it holds it.
    Rushes,
    /// It does not hear the alarm while it grabs.
    Deaf,
    /// It does not feel what it touches while it carries its third object.
    Numb,
    /// It brakes for as long as there is an alarm, and halts only then.
    NeverHalts,
    /// It leaves a halt although it still touches something.
    Stubborn,
    /// It does not let go of an object that it had touched twice while it grabbed it.
    Sticky,
}

/// The planted faults, as the command line calls them.
pub const FAULTS: [(&str, Fault); 10] = [
    ("skips-init", Fault::SkipsInit),
    ("touches-bucket", Fault::TouchesBucket),
    ("drops", Fault::Drops),
    ("blind", Fault::Blind),
    ("rushes", Fault::Rushes),
    ("deaf", Fault::Deaf),
    ("numb", Fault::Numb),
    ("never-halts", Fault::NeverHalts),
    ("stubborn", Fault::Stubborn),
    ("sticky", Fault::Sticky),
];

/// After so many objects the arm finds out anew where its joints are.
const OBJECTS: u8 = 3;

/// The controller.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Arm {
    fault: Option<Fault>,
    memory: Memory,
}

/// What the controller remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Memory {
    phase: Phase,
    started: bool,
    braking: bool,
    gripper: bool,
    /// Objects in the bucket since the joints were found.
    objects: u8,
    /// How often the object was touched while it was grabbed.
    touched: u8,
}

impl Arm {
    /// A good controller, or one with a fault.
    pub fn new(fault: Option<Fault>) -> Arm {
        Arm { fault, memory: Memory::default() }
    }

    /// What it remembers: all that decides how it goes on.
    pub fn memory(&self) -> Memory {
        self.memory
    }

    /// The same controller with another memory.
    pub fn with(self, memory: Memory) -> Arm {
        Arm { memory, ..self }
    }

    fn has(&self, fault: Fault) -> bool {
        self.fault == Some(fault)
    }

    /// One step.
    pub fn step(&mut self, input: Input) -> Output {
        let before = self.memory.phase;
        let phase = self.next(input);
        if before == Phase::Grab && phase == Phase::Grab && input.collision {
            self.memory.touched = (self.memory.touched + 1).min(2);
        }
        self.memory.phase = phase;
        self.memory.started = true;
        self.memory.gripper = match phase {
            Phase::Grab | Phase::Carry => true,
            Phase::Halt => self.memory.gripper && !self.has(Fault::Drops),
            Phase::Release => self.has(Fault::Sticky) && self.memory.touched == 2,
            _ => false,
        };
        if matches!(phase, Phase::Init | Phase::Scan) {
            self.memory.touched = 0;
        }
        let Memory { braking, gripper, .. } = self.memory;
        Output {
            phase,
            vision: phase == Phase::Scan || phase == Phase::Reach && !self.has(Fault::Blind),
            moving: matches!(phase, Phase::Reach | Phase::Carry) && !braking,
            gripper,
            brake: braking || phase == Phase::Halt,
        }
    }

    fn next(&mut self, input: Input) -> Phase {
        let Memory { phase, started, braking, objects, .. } = self.memory;
        let on_the_move = matches!(phase, Phase::Reach | Phase::Carry);
        if braking {
            // It has stood for a step, so it has stopped.
            self.memory.braking = self.has(Fault::NeverHalts) && input.alarm && !input.collision;
            return if self.memory.braking { phase } else { Phase::Halt };
        }
        let feels = match phase {
            Phase::Reach => true,
            Phase::Carry => !(self.has(Fault::Numb) && objects == OBJECTS - 1),
            Phase::Release => !self.has(Fault::TouchesBucket),
            _ => false,
        };
        if input.collision && feels {
            return Phase::Halt;
        }
        if input.alarm && !(phase == Phase::Grab && self.has(Fault::Deaf)) {
            self.memory.braking = on_the_move;
            return if on_the_move { phase } else { Phase::Halt };
        }
        if !started {
            return if self.has(Fault::SkipsInit) { Phase::Scan } else { Phase::Init };
        }
        let done = input.ready || phase == Phase::Grab && self.has(Fault::Rushes);
        match phase {
            _ if !done => phase,
            Phase::Init => Phase::Scan,
            Phase::Scan => Phase::Reach,
            Phase::Reach => Phase::Grab,
            Phase::Grab => Phase::Carry,
            Phase::Carry => Phase::Release,
            Phase::Release => {
                self.memory.objects = (objects + 1) % OBJECTS;
                if self.memory.objects == 0 { Phase::Init } else { Phase::Scan }
            }
            Phase::Halt if input.collision && !self.has(Fault::Stubborn) => Phase::Halt,
            Phase::Halt => {
                self.memory.objects = 0;
                Phase::Init
            }
        }
    }
}
